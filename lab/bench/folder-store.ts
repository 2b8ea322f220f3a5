import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, ObjectStore } from '../../src/aws/s3/object-store.ts';
import { memoryObjectStore } from '../../test/support/memory-object-store.ts';

/** An output is smaller; what is not is read once more. */
const MAX_BYTES = 1 << 16;
/** Files are read into blocks, one behind the other, as Node's own streams do: none is copied or asked for its size. */
const BLOCK = 1 << 22;
let block = Buffer.allocUnsafeSlow(BLOCK);
let used = 0;

function readPart(file: string, { start, end }: ByteRange): Uint8Array | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = new Uint8Array(end - start);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, bytes, 0, bytes.length, start);
  closeSync(descriptor);
  return bytes.subarray(0, length);
}

function readWhole(file: string): Uint8Array | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY);
  } catch {
    return undefined;
  }
  if (used + MAX_BYTES > BLOCK) {
    block = Buffer.allocUnsafeSlow(BLOCK);
    used = 0;
  }
  const length = readSync(descriptor, block, used, MAX_BYTES, null);
  closeSync(descriptor);
  if (length === MAX_BYTES) return readFileSync(file);
  used += length;
  return block.subarray(used - length, used);
}

/** A folder as far as folding and reporting ask a bucket: both sides of the bench read the same files. Anything else finds it empty. */
export function folderStore(root: string): ObjectStore {
  const read = (key: string): Buffer | undefined => {
    const file = path.join(root, key);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  const store: ObjectStore = {
    ...memoryObjectStore({ bucket: 'bench' }),
    in: () => store,
    describe: async (key) => {
      const file = path.join(root, key);
      if (!existsSync(file)) return undefined;
      const { size, mtime } = statSync(file);
      return { key, size, etag: 'e', lastModified: mtime };
    },
    readText: async (key) => read(key)?.toString('utf8'),
    // One system call chain a file, as the peers have it: a pool of threads would only cost more.
    readBytes: async (key, range) =>
      range === undefined ? readWhole(`${root}/${key}`) : readPart(`${root}/${key}`, range),
    readStream: async (key) => {
      const bytes = read(key);
      return bytes && Readable.from([bytes]);
    },
    write: async (key, body) => {
      const file = path.join(root, key);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, body);
      return { key, size: body.length, etag: 'e' };
    },
    writeStream: async (key, body) => void (await store.write(key, await buffer(body))),
    createIfAbsent: async (key, body) =>
      read(key) === undefined && (await store.write(key, body)) !== undefined,
  };
  return store;
}
