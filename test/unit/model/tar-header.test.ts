import { expect, test } from 'vitest';
import { tarFiles } from '../../../src/model/tar-files.ts';
import { readTarHeader, TAR_BLOCK } from '../../../src/model/tar-header.ts';

interface Fields {
  readonly name?: string;
  readonly size?: string | Buffer;
  readonly type?: string;
  readonly magic?: string;
  readonly prefix?: string;
}

/** A header as POSIX lays it out (ustar), with a checksum that is right. */
function header({ name = 'file', size = '0', type = '0', magic = 'ustar\0', prefix = '' }: Fields): Buffer {
  const block = Buffer.alloc(TAR_BLOCK);
  block.write(name, 0);
  Buffer.from(size).copy(block, 124);
  block.write(type, 156);
  block.write(magic, 257);
  block.write(prefix, 345);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, ' ')}\0 `, 148);
  return block;
}

async function* chunks(...parts: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function namesOf(...parts: readonly Buffer[]): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of tarFiles(chunks(...parts))) names.push(name);
  return names;
}

const binary = (size: number): Buffer => {
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(BigInt(size), 4);
  field[0] = 0x80;
  return field;
};

test.each([
  ['octal digits', '00000001750\0', 1000],
  ['digits between spaces', '     1750 \0', 1000],
  ['an empty field', '\0', 0],
  ['a field of spaces', '            ', 0],
  ['a binary number', binary(1000), 1000],
  ['a binary number of 9 GiB, for which there are too few digits', binary(9 * 2 ** 30), 9 * 2 ** 30],
])('a size is read from %s', (_how, size, bytes) => {
  expect(readTarHeader(header({ size })).size).toBe(bytes);
});

test.each([
  ['of ustar, with the folder before it', 'ustar\0', 'folder/file'],
  ['of GNU, which keeps times in that place', 'ustar  \0', 'file'],
  ['of the seventh Unix, which has nothing there', '\0', 'file'],
  ['of another program', 'other\0', 'file'],
])('a name is read from a header %s', (_kind, magic, name) => {
  expect(readTarHeader(header({ magic, prefix: 'folder' })).name).toBe(name);
});

test('a header without a size is refused', () => {
  expect(() => readTarHeader(header({ size: 'many' }))).toThrow(
    expect.objectContaining({ name: 'TarDamaged', message: 'a header in it has no size' }),
  );
});

const block = (text: string): Buffer =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(TAR_BLOCK)], TAR_BLOCK);
const path = block('18 path=long/name\n');

test.each([
  [
    'contiguous files are files, as old ones are',
    [header({ type: '7' }), header({ type: '\0', name: 'old' })],
    ['file', 'old'],
  ],
  ['a device is none', [header({ type: '3' }), header({})], ['file']],
  [
    'a long name is of the next file alone',
    [header({ type: 'x', size: '22' }), path, header({}), header({})],
    ['long/name', 'file'],
  ],
  [
    'a link has its long name',
    [header({ type: 'x', size: '22' }), path, header({ type: '2' }), header({})],
    ['file'],
  ],
  [
    'a global header takes no name',
    [header({ type: 'x', size: '22' }), path, header({ type: 'g' }), header({})],
    ['long/name'],
  ],
])('%s', async (_what, parts, names) => {
  await expect(namesOf(...parts)).resolves.toEqual(names);
});

test.each([
  [
    'it has a name that is too long',
    [header({ type: 'L', size: (1_000_001).toString(8) }), Buffer.alloc(1_000_448), header({})],
  ],
  ['it stops within a header', [header({ type: 'L', size: '22' }), path.subarray(0, 100)]],
  ['it stops within "file"', [header({ size: '22' }), Buffer.alloc(100)]],
])('an archive is refused: %s', async (message, parts) => {
  await expect(namesOf(...parts)).rejects.toMatchObject({ name: 'TarDamaged', message });
});

test('nothing is read beyond a file', async () => {
  const archive = chunks(header({ name: 'a', size: '4' }), block('abcd'), header({ name: 'b' }));
  const seen: unknown[] = [];
  for await (const { name, body } of tarFiles(archive)) {
    seen.push(name, await body.take(5), await body.skip(5), body.left);
    if (name === 'a') seen.push(Buffer.from((await body.take(3)) ?? []).toString(), body.left);
  }
  expect(seen).toEqual(['a', undefined, false, 4, 'abc', 1, 'b', undefined, false, 0]);
});
