import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { unpackTar } from '@inferdrop/model-container/internal/model-archive';
import { withErrorNames } from '../../src/aws/calls/aws-error.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { Condition } from '../../src/problem/conditions.ts';

/** An object that is known by the digest of its bytes, and how to speak of it. */
interface KeptObject {
  readonly key: string;
  readonly sha256: string;
  readonly what: string;
  /** Remedy where its bytes are others. */
  readonly remedy: string;
}

/**
 * Interval of looks at a download, and the looks in a row without a byte that end it. A function is frozen between two requests, and a
 * connection from before may never say again that it has ended; looks are counted, as time passes while it is frozen.
 */
const LOOK_MS = 5_000;
const MAX_SILENT_LOOKS = 6;

/**
 * Downloads an object, and unpacks it into a folder on the way. Undefined if it is not there, else the bytes of all files together.
 *
 * @throws {ModelRefused} if the bytes are not those that the digest is of. Also `NetworkingError`, if they do not arrive.
 */
export async function unpackKept(
  store: ObjectStore,
  { key, sha256, what, remedy }: KeptObject,
  folder: string,
  unpack: typeof unpackTar,
): Promise<number | undefined> {
  const object = await store.readStream(key);
  if (object === undefined) return undefined;
  const hash = createHash('sha256');
  let lost: Error | undefined;
  object.once('error', (error) => (lost = error));
  const fileBytes = await withErrorNames(
    unpack(Readable.from(hashed(object, hash)), folder).catch((error: unknown): never => {
      // What the connection broke off is no fault of the archive.
      throw lost ?? error;
    }),
  );
  const digest = hash.digest('hex');
  if (digest !== sha256)
    throw new Condition(
      'ModelRefused',
      `${key} is not the ${what} that was stored there: its SHA-256 is ${digest}. ${remedy}`,
    );
  return fileBytes;
}

async function* hashed(body: Readable, hash: Hash): AsyncGenerator<Uint8Array> {
  let silentLooks = 0;
  const looks = setInterval(() => {
    silentLooks += 1;
    if (silentLooks === MAX_SILENT_LOOKS)
      body.destroy(Object.assign(new Error('the bucket has stopped sending'), { code: 'ETIMEDOUT' }));
  }, LOOK_MS);
  try {
    for await (const chunk of body) {
      silentLooks = 0;
      hash.update(chunk);
      yield chunk;
    }
  } finally {
    clearInterval(looks);
  }
}
