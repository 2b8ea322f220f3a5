import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeKind,
  type FileKind,
  fileKind,
  HEAD_BYTES,
  rowOf,
} from '../../../src/file-kind/file-kind.ts';
import { isHidden } from '../../../src/file-kind/hidden-name.ts';

/** Written by the programs that people use, as `test/fixtures/make_kinds.py` says. */
const MADE = gunzipSync(
  readFileSync(path.resolve(import.meta.dirname, '..', '..', 'fixtures', 'kinds.jsonl.gz')),
)
  .toString()
  .trim()
  .split('\n')
  .map((line) => {
    const { kind, name, bytes } = JSON.parse(line) as { kind: FileKind; name: string; bytes: string };
    return { kind, name, bytes: Buffer.from(bytes, 'base64') };
  });
const kindOf = (bytes: Uint8Array) =>
  fileKind({ head: bytes.subarray(0, HEAD_BYTES), sizeBytes: bytes.length });

test.each(MADE)('$name is $kind, whatever its name says', ({ kind, bytes }) => {
  expect(kindOf(bytes)).toBe(kind);
});

test('a file that was cut off within its head is of its kind, or of none', () => {
  const wrong = MADE.filter(({ bytes }) => bytes.length > 64).flatMap(({ kind, name, bytes }) => {
    const found = kindOf(bytes.subarray(0, bytes.length >> 1));
    // What says more may be cut off, such as the members of an archive.
    const isLess = found === kind || rowOf(found).role !== 'refuse' || ['zip', 'tar', 'xml'].includes(found);
    return isLess ? [] : [`${name}: ${found}`];
  });
  expect(wrong).toEqual([]);
});

test('what a person writes is never refused for its first letters', () => {
  const words = [
    'PAR1',
    'PARENT',
    'ORC',
    'ORCID',
    'ARROW1',
    'FEA1',
    'GGUF',
    'MATLAB 5',
    'CBM1',
    'BM',
    'ID3',
    'GIF8',
    'Obj',
  ];
  const row = fc.array(fc.stringMatching(/^[a-zA-Z0-9 ._-]{0,12}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...words), fc.array(row, { maxLength: 20 }), (word, rows) => {
      const text = [`${word},b`, ...rows.map((cells) => cells.join(','))].join('\n');
      expect(kindOf(Buffer.from(text))).toBe('text');
    }),
  );
});

test('any bytes are of a kind, and of the same kind in UTF-16 as any text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      expect(rowOf(kindOf(bytes))).toBeDefined();
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9,\n]{4,400}$/), (text) => {
      expect(kindOf(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe('utf-16');
      expect(kindOf(Buffer.from(text, 'utf16le'))).toBe('utf-16');
    }),
  );
});

test.each(['-01000', '-00777', '77777777777', '\u00ff', ''])(
  'a tar with the size %j in a header is read to its end',
  (size) => {
    const tar = Buffer.alloc(HEAD_BYTES);
    for (let at = 0; at < tar.length; at += 512) {
      tar.write('a.png', at);
      tar.write(size, at + 124, 'latin1');
      tar.write('ustar', at + 257);
    }
    expect(kindOf(tar)).toBe('tar');
  },
);

test('each kind that is refused has a remedy, as an input and as a model', () => {
  for (const { kind } of MADE) {
    const { role, remedy = '' } = rowOf(kind);
    expect(remedy === '', kind).toBe(role !== 'refuse');
    expect(describeKind(kind).remedy).not.toBe('');
  }
});

test.each([
  '_SUCCESS',
  'a/_SUCCESS',
  '_FAILED',
  '_committed_17',
  '_started_17',
  '_temporary/0/part-0',
  'x/_delta_log/000.json',
  '_spark_metadata/0',
  '_metadata',
  '_common_metadata',
  'a_$folder$',
  '.part-0.crc',
  'a/.DS_Store',
  '.ipynb_checkpoints/a.csv',
  'Thumbs.db',
  'cat/desktop.ini',
  '__MACOSX/._a.png',
])('%s is hidden', (name) => expect(isHidden(name)).toBe(true));

test.each([
  '_c1.csv',
  '_image_list.txt',
  '_SUCCESS/a.png',
  '_SUCCESS.csv',
  'x_SUCCESS',
  '_metadata.csv',
  '_temporary',
  'my_delta_log/a.csv',
  '_committed/a.png',
  'a.b.png',
  '..a/..b'.replaceAll('..', 'a.'),
])('%s is an input', (name) => expect(isHidden(name)).toBe(false));
