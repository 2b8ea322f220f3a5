import { createHash } from 'node:crypto';
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
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';

/** An output is smaller; what is not is read once more. */
const MAX_BYTES = 1 << 16;
/** Files are read into blocks, one behind the other, as Node's own streams do: none is copied or asked for its size. */
const BLOCK = 1 << 22;
let block = Buffer.allocUnsafeSlow(BLOCK);
let used = 0;

function readPart(
  file: string,
  { start, end }: { readonly start: number; readonly end: number },
): Uint8Array | undefined {
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

/** A folder as far as folding and reporting ask a bucket: both sides of the bench read the same files. */
export function folderStore(root: string): ObjectStore {
  const refuse = (what: string) => (): never => {
    throw new Error(`the bench's store cannot ${what}`);
  };
  const read = (key: string): Buffer | undefined => {
    const file = path.join(root, key);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  const write = (key: string, body: string | Uint8Array) => {
    const file = path.join(root, key);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, body);
    return { key, size: body.length, etag: createHash('md5').update(key).digest('hex') };
  };
  const store: ObjectStore = {
    bucket: 'bench',
    in: () => store,
    describe: async (key) => {
      const file = path.join(root, key);
      if (!existsSync(file)) return undefined;
      const { size, mtime } = statSync(file);
      return { key, size, etag: 'e', lastModified: mtime };
    },
    readText: async (key) => read(key)?.toString('utf8'),
    // One system call chain a file, as the peers have it: a pool of threads would only cost more.
    readBytes: async (key, range) => {
      const file = `${root}/${key}`;
      return range === undefined ? readWhole(file) : readPart(file, range);
    },
    readStream: async (key) => {
      const bytes = read(key);
      return bytes === undefined ? undefined : Readable.from([bytes]);
    },
    write: async (key, body) => write(key, body),
    writeStream: async (key, body) => {
      const parts: Uint8Array[] = [];
      for await (const part of body) parts.push(Buffer.from(part));
      write(key, Buffer.concat(parts));
    },
    createIfAbsent: async (key, body) =>
      existsSync(path.join(root, key)) ? false : (write(key, body), true),
    replace: refuse('replace'),
    copy: refuse('copy'),
    copyOver: refuse('copy over'),
    join: refuse('join'),
    open: refuse('open'),
    versions: refuse('versions'),
    keptSha256: refuse('keptSha256'),
    listPage: refuse('list'),
    // eslint-disable-next-line require-yield -- the run has no jobs
    list: async function* () {
      return;
    },
    listFolders: refuse('list folders'),
    delete: refuse('delete'),
  };
  return store;
}
