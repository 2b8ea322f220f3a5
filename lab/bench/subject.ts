import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';

/** The images of a folder. @throws {Error} if there are none */
export function readImages(folder: string): readonly Buffer[] {
  const images = readdirSync(join(folder, 'images'))
    .sort()
    .map((name) => readFileSync(join(folder, 'images', name)));
  if (images.length === 0) throw new Error(`${folder}: images/ must hold PNG files, is empty`);
  return images;
}

/** The folder of the unpacked archive of a folder. @throws {Error} if it has none */
export async function readModel(folder: string): Promise<string> {
  const unpacked = join(folder, 'model');
  return existsSync(unpacked) ? unpacked : unpack(join(folder, 'model.tar.gz'));
}

async function unpack(archive: string): Promise<string> {
  if (!existsSync(archive)) throw new Error(`${archive}: neither this nor a folder model/ is there`);
  const directory = mkdtempSync(join(tmpdir(), 'inferdrop-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await unpackModelArchive(createReadStream(archive), directory);
  return directory;
}
