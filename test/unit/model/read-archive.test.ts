import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutProblems } from '../../../src/model/archive-layout.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { modelArchive } from '../../support/model-archive.ts';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('digest, size and names are found however the archive is cut', async () => {
  const archive = await modelArchive({
    './1/saved_model.pb': 'graph',
    'code/inference.py': 'x'.repeat(100_000),
  });
  const sha256 = createHash('sha256').update(archive).digest('hex');
  for (const size of [1, 7, 1000, archive.length]) {
    await expect(readArchive(pieces(archive, size))).resolves.toEqual({
      sha256,
      sizeBytes: archive.length,
      files: ['1/saved_model.pb', 'code/inference.py'],
      signatures: new Map(),
    });
  }
});

test('only a leading ./ is left out of a name', async () => {
  const archive = await modelArchive({ './././model.pth': 'x', 'a./b.py': 'y' });
  await expect(readArchive(pieces(archive, 100))).resolves.toMatchObject({ files: ['model.pth', 'a./b.py'] });
});

test.each([
  ['nothing', Buffer.alloc(0), 'is an empty object'],
  ['a zip', Buffer.from('PK\u0003\u0004…'), 'is a zip file'],
  ['text', Buffer.from('hello'), 'is no gzip file'],
  ['an old compress file', Buffer.from([0x1f, 0x9d, 0x90, 0]), 'is no gzip file'],
  ['bytes that only look like gzip’s', Buffer.from([0, 0x8b, 8, 0]), 'is no gzip file'],
  ['gzip of text', gzipSync('hello '.repeat(1000)), 'cannot be read as a gzip-compressed tar archive'],
  ['gzip of nothing', gzipSync(''), 'without any file'],
])('%s is distinguished from an archive', async (_name, bytes, reason) => {
  await expect(readArchive(pieces(bytes, 1000))).resolves.toEqual({
    reason: expect.stringContaining(reason),
  });
});

test('a connection that breaks is no fault of the archive', async () => {
  const archive = await modelArchive({ '1/saved_model.pb': 'graph'.repeat(5000) });
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield archive.subarray(0, 100);
    throw Object.assign(new Error('socket hang up'), { name: 'ECONNRESET' });
  }
  await expect(readArchive(breaking())).rejects.toMatchObject({ name: 'ECONNRESET' });
});

test('a truncated or damaged archive is refused and never hangs', async () => {
  const archive = await modelArchive({
    '1/saved_model.pb': 'graph'.repeat(5000),
    'code/inference.py': 'x'.repeat(5000),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(archive.length - 1), fc.boolean(), async (at, cut) => {
      const bytes = cut ? archive.subarray(0, at) : Buffer.from(archive);
      if (!cut) bytes[at] = bytes[at]! ^ 0x55;
      const read = await readArchive(pieces(bytes, 4096));
      expect('reason' in read || read.files.length > 0).toBe(true);
      if (cut) expect(read).toHaveProperty('reason');
    }),
    { numRuns: 60 },
  );
});

const image = {
  framework: 'tensorflow',
  contentType: 'application/x-image',
  networkIsolation: true,
} as const;
const json = {
  framework: 'tensorflow',
  contentType: 'application/json; charset=utf-8',
  networkIsolation: true,
} as const;
const torch = { framework: 'pytorch', contentType: 'application/x-image', networkIsolation: true } as const;

test.each([
  [['1/saved_model.pb', 'code/inference.py'], image],
  [['export/mnist/0000123/saved_model.pb', 'code/inference.py'], image],
  [['1/saved_model.pb'], json],
  [['model.pth'], torch],
  [['code/inference.py', 'weights.bin'], torch],
  [['1/saved_model.pb', 'code/inference.py', 'code/requirements.txt'], { ...image, networkIsolation: false }],
  [['1/saved_model.pb', 'code/inference.py', 'code/requirements.txt', 'code/lib/PIL/Image.py'], image],
])('%j is served', (files, needs) => {
  expect(layoutProblems(files, needs)).toEqual([]);
});

test.each([
  [['saved_model.pb', 'code/inference.py'], image, 'move it to 1/saved_model.pb'],
  [['v1/saved_model.pb', 'code/inference.py'], image, 'move it to 1/saved_model.pb'],
  [['model.keras', 'code/inference.py'], image, 'has no saved_model.pb'],
  [['1/saved_model.pb', 'src/code/inference.py'], image, '(src/code/inference.py is not at that path)'],
  [['1/saved_model.pb'], image, 'answers 415 to transform.contentType "application/x-image"'],
  [['/etc/passwd'], json, 'leaves the archive'],
  [['model/model.pth'], torch, 'without a wrapping folder'],
  [['README'], torch, 'nothing to serve'],
  [['1/saved_model.pb', 'code/inference.py', 'code/requirements.txt'], image, 'pack them into code/lib/'],
  [['model.pth', 'code/requirements.txt'], torch, 'set model.networkIsolation to false'],
])('%j is not: %s', (files, needs, problem) => {
  expect(layoutProblems(files, needs).join()).toContain(problem);
});
