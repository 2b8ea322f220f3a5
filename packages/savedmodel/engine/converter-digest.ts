import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = new URL('../', import.meta.url);
/** Folders with code that decides how a SavedModel is converted; images are decoded by a package of their own. */
const CONVERTER = {
  engine: new URL('engine/', ROOT),
  host: new URL('host/', ROOT),
  image: new URL(
    './',
    pathToFileURL(createRequire(import.meta.url).resolve('@inferdrop/image/internal/pixels')),
  ),
  onnx: new URL('onnx/', ROOT),
  savedmodel: new URL('savedmodel/', ROOT),
};

/** The first 16 digits of the SHA-256 over names and contents of the converter's files. */
export async function converterDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, url] of Object.entries(CONVERTER)) {
    const folder = fileURLToPath(url);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((file) => !file.startsWith('test/') && !file.startsWith('node_modules/'));
    for (const file of files.sort()) {
      hash.update(`${name}/${file}\0`);
      hash.update(await readFile(join(folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
