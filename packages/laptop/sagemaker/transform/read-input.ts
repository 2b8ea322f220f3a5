import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { clientError, ObjectFailure } from './object-failure.ts';

/**
 * The bytes of an input object, unpacked if the job says so.
 *
 * @param how `whole` gives one chunk, which is cheaper if all bytes are needed at once
 * @throws {ObjectFailure} if the object is gone or is not gzip
 */
export async function* readInput(
  objects: ObjectAccess,
  bucket: string,
  key: string,
  how: { readonly gzip: boolean; readonly whole: boolean },
): AsyncGenerator<Buffer> {
  if (how.whole && !how.gzip) {
    const body = await objects.read(bucket, key);
    if (body === undefined) throw gone();
    if (body.length > 0) yield body;
    return;
  }
  const size = objects.head(bucket, key)?.size;
  const stream = await objects.readStream(bucket, key);
  if (stream === undefined || size === undefined) throw gone();
  // An empty object is not gzip either, but has nothing to unpack.
  if (how.gzip && size > 0) yield* unpack(stream);
  else yield* stream;
}

async function* unpack(stream: Readable): AsyncGenerator<Buffer> {
  const unpacked = pipeline(stream, createGunzip(), () => undefined);
  try {
    yield* unpacked;
  } catch (error) {
    throw clientError(`not gzip: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function gone(): ObjectFailure {
  return new ObjectFailure('client-error', 'ClientError: 404', 'The object does not exist');
}
