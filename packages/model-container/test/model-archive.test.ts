import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { archiveLimits, unpackModelArchive } from '../model-archive.ts';
import { modelArchive } from './support/model-archive.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

let dir: string;
beforeEach(() => {
  dir = join(temporaryFolder('archive-'), 'model');
});
const unpack = (archive: Buffer, limits?: Parameters<typeof unpackModelArchive>[2]) =>
  unpackModelArchive(Readable.from([archive]), dir, limits);

test('files come out where the archive has them', async () => {
  await unpack(await modelArchive({ './1/saved_model.pb': 'pb', 'code/inference.py': 'print()' }));
  expect(readFileSync(join(dir, '1/saved_model.pb'), 'utf8')).toBe('pb');
  expect(readFileSync(join(dir, 'code/inference.py'), 'utf8')).toBe('print()');
});

test("the archive's own folder may be named / as the SageMaker SDK does", async () => {
  await unpack(await modelArchive({ '1/saved_model.pb': 'pb' }, [{ name: '/', type: 'directory' }]));
  expect(readFileSync(join(dir, '1/saved_model.pb'), 'utf8')).toBe('pb');
});

test.each(['../escape', 'a/../../escape', '/absolute', 'C:/drive', 'a\\b'])(
  '%s refuses the archive',
  async (name) => {
    await expect(unpack(await modelArchive({ [name]: 'x' }))).rejects.toMatchObject({
      name: 'BadModelArchive',
    });
    expect(existsSync(join(dir, '../escape'))).toBe(false);
  },
);

test.each(['symlink', 'link', 'character-device', 'fifo'] as const)(
  'a %s refuses the archive',
  async (type) => {
    const archive = await modelArchive({}, [{ name: 'odd', type, linkname: '/etc/passwd' }]);
    await expect(unpack(archive)).rejects.toThrow(`odd: must be a file or a directory, is a ${type}`);
  },
);

test('a symbolic link, which AWS takes, is refused with the option that packs its file', async () => {
  const archive = await modelArchive({}, [{ name: 'odd', type: 'symlink', linkname: 'a' }]);
  await expect(unpack(archive)).rejects.toThrow('pack what it points to, with tar -h');
});

test('a bomb is cut off', async () => {
  const archive = await modelArchive({ zeros: '\0'.repeat(1_000_000) });
  await expect(unpack(archive, { maxUnpackedBytes: 999_999, maxEntries: 10 })).rejects.toThrow(
    'zeros: the archive must unpack to at most 999999 bytes',
  );
  await expect(
    unpack(await modelArchive({ a: '', b: '' }), { maxUnpackedBytes: 10, maxEntries: 1 }),
  ).rejects.toThrow('the archive must have at most 1 entries');
});

test('a disk with little room bounds an archive, and 256 MiB of it stay free', async () => {
  const free = 256 * 1024 ** 2 + 999_999;
  await expect(
    unpack(await modelArchive({ zeros: '\0'.repeat(1_000_000) }), archiveLimits(free, '/data')),
  ).rejects.toThrow(
    `zeros: the archive must unpack to at most 999999 bytes: the disk of /data has ${free} bytes free, and ` +
      '268435456 must stay free; make room there',
  );
  expect(archiveLimits(0, '/data').maxUnpackedBytes).toBe(0);
  expect(archiveLimits(2 ** 50, '/data')).toEqual({ maxUnpackedBytes: 30 * 1024 ** 3, maxEntries: 100_000 });
});

test.each([
  ['no gzip', Buffer.from('PK not a tar')],
  ['gzip of something else', gzipSync('not a tar'.repeat(100))],
  ['nothing', Buffer.alloc(0)],
])('%s is no archive', async (_name, archive) => {
  await expect(unpack(archive)).rejects.toMatchObject({ name: 'BadModelArchive' });
});

test('an archive that is cut off is no archive', async () => {
  const archive = await modelArchive({
    noise: Array.from({ length: 5000 }, (_, i) => (i * 7919) % 65521).join(),
  });
  await expect(unpack(archive.subarray(0, archive.length / 2))).rejects.toMatchObject({
    name: 'BadModelArchive',
  });
});

test('models are found by version folders, named by the folder above', async () => {
  const files = [
    '7/saved_model.pb',
    'export/named/1/saved_model.pb',
    'export/named/12/saved_model.pb',
    'x/saved_model.pb',
  ];
  await unpack(await modelArchive(Object.fromEntries(files.map((file) => [file, 'pb']))));
  const bundles = await findModelBundles(dir);
  expect(bundles.map(({ name, versions }) => [name, [...versions.keys()]])).toEqual([
    ['model', [7]],
    ['named', [1, 12]],
  ]);
});
