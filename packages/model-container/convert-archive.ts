import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { CONVERSION_FILE, convertInPlace } from '@inferdrop/savedmodel/internal/conversion';
import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { isPlainOnnx } from './onnx/own-handler.ts';

/**
 * Converts the SavedModels of an unpacked archive, each in its place; what else there is, the script among it, stays.
 * An ONNX model is as it runs already.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function convertArchive(modelDir: string): Promise<void> {
  if (isPlainOnnx(modelDir)) return;
  await removeGiven(modelDir);
  for (const { versions } of await findModelBundles(modelDir))
    for (const versionDir of versions.values()) await convertInPlace(versionDir);
}

/** Removes what an archive has under the name of a conversion: it would be read without a check, as a version that no SavedModel is of. */
async function removeGiven(modelDir: string): Promise<void> {
  for (const { name, parentPath } of await readdir(modelDir, { recursive: true, withFileTypes: true }))
    if (name === CONVERSION_FILE) await rm(join(parentPath, name), { recursive: true, force: true });
}

/** All below a folder as a tar that is not compressed; equal files give equal bytes. */
export async function* packFolder(folder: string): AsyncGenerator<Uint8Array> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isDirectory: entry.isDirectory() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const tar = pack();
  const written = (async () => {
    for (const { path, isDirectory } of entries) {
      const header = { name: relative(folder, path).replaceAll('\\', '/'), mtime: new Date(0) };
      if (isDirectory) tar.entry({ ...header, type: 'directory' });
      else await pipeline(createReadStream(path), tar.entry({ ...header, size: (await stat(path)).size }));
    }
    tar.finalize();
  })();
  written.catch((error: unknown) => tar.destroy(error instanceof Error ? error : undefined));
  for await (const piece of tar) if (piece instanceof Uint8Array) yield piece;
  await written;
}
