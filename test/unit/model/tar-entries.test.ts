import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tarEntries } from '../../../src/model/tar-entries.ts';
import { packedTar } from '../../support/packed-tar.ts';
import { pieces } from '../../support/pieces.ts';

/** What is read of a tar, where damage is no error. */
async function read(bytes: Uint8Array, size = 700) {
  const damage: string[] = [];
  const entries: { name: string; type: string; start: number; text: string }[] = [];
  for await (const { name, type, start, body } of tarEntries(pieces(bytes, size), (message) =>
    damage.push(message),
  )) {
    const text = Buffer.concat(await Array.fromAsync(body.pieces())).toString('latin1');
    entries.push({ name, type, start, text });
  }
  return { entries, damage };
}
/** Corrects the checksum of the header at the beginning. */
function seal(tar: Buffer): void {
  tar.fill(' ', 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}
const namesIn = async (bytes: Uint8Array) => (await read(bytes)).entries.map(({ name }) => name);

test('a body lies where the entry says, after long names too', async () => {
  const long = `${'folder/'.repeat(30)}file`;
  const tar = await packedTar({ a: 'first', [long]: 'second', b: 'x'.repeat(513) });
  const { entries, damage } = await read(tar);
  expect(entries.map(({ name }) => name)).toEqual(['a', long, 'b']);
  for (const { start, text } of entries)
    expect(tar.subarray(start, start + text.length).toString()).toBe(text);
  expect(damage).toEqual([]);
});

test('a damaged header costs its own entry alone', async () => {
  const tar = await packedTar({ a: 'first', b: 'second', c: 'third' });
  tar[1024] = 0x7f;
  expect(await read(tar)).toMatchObject({
    entries: [{ name: 'a' }, { name: 'c', text: 'third' }],
    damage: ['the header at byte 1024 is damaged'],
  });
});

test('a tar that was cut short is read up to there, and told', async () => {
  const tar = await packedTar({ a: 'first', b: 'x'.repeat(2000) });
  expect(await read(tar.subarray(0, 2000))).toMatchObject({
    entries: [{ name: 'a', text: 'first' }, { name: 'b' }],
    damage: ['it stops within "b"'],
  });
  // Between two entries only the end mark is missing.
  expect(await read(tar.subarray(0, 1024))).toMatchObject({
    entries: [{ name: 'a' }],
    damage: ['it stops without an end mark: it was cut short'],
  });
});

test('tars that were joined are told, since only the first is read', async () => {
  const tar = await packedTar({ a: 'first' });
  expect(await read(Buffer.concat([tar, await packedTar({ b: 'second' })]))).toMatchObject({
    entries: [{ name: 'a' }],
    damage: ['it goes on after its end mark: what follows is not read'],
  });
  expect((await read(Buffer.concat([tar, Buffer.alloc(9216)]))).damage).toEqual([]);
});

test('a size that no header of its own can hold is taken from the pax header', async () => {
  const tar = await packedTar([['a', { body: 'first', pax: { size: '5', comment: 'x\n7 path=evil\n' } }]]);
  // The field of the header itself is wrong, as it is above 8 GiB.
  tar.write('00000000000\0', 1024 + 124);
  seal(tar.subarray(1024));
  expect((await read(tar)).entries).toMatchObject([{ name: 'a', text: 'first' }]);
});

test.each([
  ['a size below nothing', '-0000000001\0'],
  [
    'a size beyond what a number holds',
    Buffer.from([0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  ],
])('%s is damage', async (_what, size) => {
  const tar = await packedTar({ a: 'first', b: 'second' });
  tar.write(typeof size === 'string' ? size : size.toString('latin1'), 124, 'latin1');
  seal(tar);
  expect(await read(tar)).toMatchObject({ entries: [{ name: 'b' }], damage: [/byte 0 is damaged/] });
});

test('links, folders and files with holes are told by their types', async () => {
  const tar = await packedTar([
    ['folder/', { type: 'directory' }],
    ['link', { type: 'symlink', linkname: 'a' }],
    ['hard', { type: 'link', linkname: 'a' }],
    ['sparse', { body: 'x', pax: { 'GNU.sparse.major': '1' } }],
    ['file', 'x'],
  ]);
  expect((await read(tar)).entries.map(({ type }) => type)).toEqual(['5', '2', '1', 'S', '0']);
});

test('a list of holes that goes on in blocks of its own costs no later entry', async () => {
  const tar = await packedTar({ sparse: 'with holes', next: 'second' });
  // GNU tar's own format: a further block, of which the last one says that none follows.
  tar.write('S', 156);
  tar[482] = 1;
  seal(tar);
  const holes = Buffer.alloc(512);
  const more = Buffer.from(holes).fill(1, 504, 505);
  const whole = Buffer.concat([tar.subarray(0, 512), more, holes, tar.subarray(512)]);
  expect(await read(whole)).toMatchObject({
    entries: [
      { name: 'sparse', type: 'S', start: 1536, text: 'with holes' },
      { name: 'next', text: 'second' },
    ],
    damage: [],
  });
  expect((await read(whole.subarray(0, 700))).damage).toEqual(['it stops within "sparse"']);
});

test('a file with holes has its own name, and not the one that GNU tar makes up', async () => {
  const pax = { 'GNU.sparse.major': '1', 'GNU.sparse.name': 'cat/1.png' };
  expect(await namesIn(await packedTar([['cat/GNUSparseFile.7/1.png', { body: 'x', pax }]]))).toEqual([
    'cat/1.png',
  ]);
});

test('whatever bytes come, it ends, and what is not damaged is read as it was packed', async () => {
  const bodies = fc.array(fc.string({ maxLength: 1200 }), { maxLength: 4 });
  const changes = fc.array(fc.tuple(fc.nat(9000), fc.nat(255)), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(bodies, changes, fc.integer({ min: 1, max: 3000 }), async (texts, changed, size) => {
      const members = texts.map((text, at) => [`${at}/file`, text] as const);
      const tar = await packedTar(members);
      expect((await read(tar, size)).entries.map(({ text }) => text)).toEqual(
        texts.map((text) => Buffer.from(text).toString('latin1')),
      );
      for (const [at, value] of changed) tar[at % tar.length] = value;
      const { entries } = await read(tar, size);
      expect(entries.length).toBeLessThanOrEqual(tar.length / 512);
    }),
  );
});

test('a tar without damage gives the same bytes however the stream is cut', async () => {
  const tar = await packedTar({ a: 'x'.repeat(700), b: 'y'.repeat(1024) });
  const digest = async (size: number) =>
    createHash('md5')
      .update(JSON.stringify(await read(tar, size)))
      .digest('hex');
  expect(new Set(await Promise.all([1, 511, 512, 513, 9000].map(digest))).size).toBe(1);
  expect(await namesIn(tar)).toEqual(['a', 'b']);
});
