import { extract } from 'tar-stream';
import { expect, test } from 'vitest';
import { tarOf } from '../../../packages/model-container/test/support/model-archive.ts';
import { type AddedFile, appendToTar } from '../../../src/model/append-to-tar.ts';
import { pieces } from '../../support/pieces.ts';

const HANDLER = { name: 'code/inference.py', body: Buffer.from('def handler(): ...') };

async function appended(archive: Uint8Array, files: readonly AddedFile[], size = 700): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(appendToTar(pieces(archive, size), files)));
}

/** What another reader finds in an archive. */
async function filesOf(archive: Buffer) {
  const files: Record<string, string> = {};
  const modes = new Set<string>();
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const { name, mode, uid, gid, mtime } = entry.header;
    files[name] = Buffer.concat((await Array.fromAsync(entry)) as Buffer[]).toString();
    modes.add([mode?.toString(8), uid, gid, mtime?.getTime()].join(' '));
  }
  return { files, modes };
}

test('files are added behind those of an archive, however it is cut', async () => {
  const given = {
    '1/saved_model.pb': 'graph'.repeat(500),
    '1/empty': '',
    '1/block': 'x'.repeat(512),
    [`1/${'long/'.repeat(40)}name`]: 'weights',
  };
  const archive = await tarOf(given);
  const more = { name: 'code/lib/empty.py', body: Buffer.alloc(0) };
  for (const size of [1, 512, 700, archive.length]) {
    const now = await appended(archive, [HANDLER, more], size);
    await expect(filesOf(now)).resolves.toMatchObject({
      files: { ...given, [HANDLER.name]: 'def handler(): ...', [more.name]: '' },
    });
    expect(now.subarray(0, archive.length - 1024)).toEqual(archive.subarray(0, -1024));
  }
});

test('what is added belongs to nobody and has no date, so that equal input gives equal bytes', async () => {
  const archive = await tarOf({});
  const now = await appended(archive, [HANDLER]);
  expect((await filesOf(now)).modes).toEqual(new Set(['644 0 0 0']));
  await expect(appended(archive, [HANDLER], 100)).resolves.toEqual(now);
});

test('an archive without its two empty blocks at the end keeps its files', async () => {
  const archive = await tarOf({ 'model.pth': 'weights' });
  const { files } = await filesOf(await appended(archive.subarray(0, -1024), [HANDLER]));
  expect(Object.keys(files)).toEqual(['model.pth', HANDLER.name]);
});

test('the source is read to its end, behind the archive, too', async () => {
  const archive = await tarOf({ 'model.pth': 'weights' });
  let ended = false;
  async function* padded(): AsyncGenerator<Uint8Array> {
    yield archive;
    yield Buffer.alloc(9_216);
    yield Buffer.alloc(512);
    ended = true;
  }
  await Array.fromAsync(appendToTar(padded(), []));
  expect(ended).toBe(true);
});

test.each([
  ['within a file', 1_200],
  ['at the end of its header', 512],
  ['within the padding of a file', 1_600],
])('an archive that ends %s is refused, and no file of it is lost unnoticed', async (_where, length) => {
  const archive = await tarOf({ 'model.pth': 'x'.repeat(1_100) });
  await expect(appended(archive.subarray(0, length), [HANDLER])).rejects.toMatchObject({
    name: 'TarDamaged',
    message: 'it stops within "model.pth"',
  });
});

test('a header that is damaged is refused', async () => {
  const archive = await tarOf({ 'model.pth': 'weights' });
  archive[0] = 0x7f;
  await expect(appended(archive, [HANDLER])).rejects.toMatchObject({ name: 'TarDamaged' });
});
