import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fromBufferPromise } from 'yauzl';

/** Lambda's own limit for an unzipped package. */
const MAX_UNZIPPED_BYTES = 262_144_000;

/**
 * Unzips an archive into `folder`.
 *
 * @throws {Error} if it is not a zip archive, an entry would leave the folder, or it is larger than Lambda accepts
 */
export async function unzip(archive: Buffer, folder: string): Promise<void> {
  const zip = await fromBufferPromise(archive, {
    lazyEntries: true,
    strictFileNames: true,
    validateEntrySizes: true,
  });
  let sizeBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (fileName.split('/').includes('..') || fileName.startsWith('/')) {
      throw new Error(`zip entry ${fileName} would leave the package`);
    }
    sizeBytes += entry.uncompressedSize;
    if (sizeBytes > MAX_UNZIPPED_BYTES) {
      throw new Error(`Unzipped size must be smaller than ${MAX_UNZIPPED_BYTES} bytes`);
    }
    const path = join(folder, fileName);
    if (fileName.endsWith('/')) await mkdir(path, { recursive: true });
    else {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
    }
  }
}
