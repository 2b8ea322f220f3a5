import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contentDigest } from '../../../src/model/content-digest.ts';
import { type PackedMember, packedTar } from '../../support/packed-tar.ts';
import { pieces } from '../../support/pieces.ts';

type Members = readonly (readonly [string, PackedMember])[];

const digest = async (members: Members) => contentDigest(pieces(gzipSync(await packedTar(members)), 7));

const MODEL: Members = [
  ['model.pth', 'weights'],
  ['code/inference.py', 'def model_fn(): ...'],
];

test.each<[string, Members]>([
  ['the time at which it was packed', [['model.pth', { body: 'weights', mtime: new Date(9e11) }], MODEL[1]!]],
  ['the owner', [['model.pth', { body: 'weights', uid: 7, uname: 'ada' }], MODEL[1]!]],
  ['the order of the files', MODEL.toReversed()],
  ['./ before the names', MODEL.map(([name, member]) => [`./${name}`, member])],
  ['folders of their own', [['code/', { type: 'directory' }], ...MODEL]],
])('does not depend on %s', async (_what, members) => {
  expect(await digest(members)).toMatch(/^[0-9a-f]{64}$/);
  expect(await digest(members)).toBe(await digest(MODEL));
});

test.each<[string, Members]>([
  ['bytes', [['model.pth', 'Weights'], MODEL[1]!]],
  ['names', [['model.pt', 'weights'], MODEL[1]!]],
  ['modes', [['model.pth', { body: 'weights', mode: 0o755 }], MODEL[1]!]],
  ['one more', [...MODEL, ['extra', '']]],
  ['twice, the other last', [MODEL[0]!, MODEL[1]!, ['model.pth', 'Weights']]],
])('depends on the files: %s', async (_what, members) => {
  expect(await digest(members)).toMatch(/^[0-9a-f]{64}$/);
  expect(await digest(members)).not.toBe(await digest(MODEL));
});

test('depends on which of two files of one name comes last', async () => {
  const twice: Members = [
    ['model.pth', 'old'],
    ['model.pth', 'new'],
  ];
  expect(await digest(twice)).not.toBe(await digest(twice.toReversed()));
});

test('is null for links, and for what is no archive', async () => {
  expect(await digest([...MODEL, ['latest', { type: 'symlink', linkname: 'model.pth' }]])).toBeNull();
  const whole = gzipSync(await packedTar(MODEL));
  for (const archive of ['', 'text', whole.subarray(0, 90), gzipSync('text'), gzipSync('')])
    expect(await contentDigest(pieces(archive, 5))).toBeNull();
});

test('tells a broken connection', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* pieces(gzipSync('a'), 4);
    await Promise.reject(new Error('reset'));
  }
  await expect(contentDigest(broken())).rejects.toThrow('reset');
});
