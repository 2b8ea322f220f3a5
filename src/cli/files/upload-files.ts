import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { LocalFile } from './local-files.ts';

const CONCURRENCY = 16;
/** Larger files are uploaded in parts, so that they are never in memory as a whole. */
const WHOLE_UP_TO_BYTES = 8 * 1024 * 1024;

/** Uploads files below a prefix, several at once. `onFile` is called for each stored file. */
export async function uploadFiles(
  store: ObjectStore,
  prefix: string,
  files: readonly LocalFile[],
  onFile: (done: number) => void,
): Promise<void> {
  const queue = files.values();
  let done = 0;
  const upload = async (): Promise<void> => {
    for (const { file, relative, sizeBytes } of queue) {
      const key = prefix + relative;
      if (sizeBytes > WHOLE_UP_TO_BYTES) await store.writeStream(key, createReadStream(file));
      else await store.write(key, await readFile(file));
      onFile(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, files.length) }, upload));
}
