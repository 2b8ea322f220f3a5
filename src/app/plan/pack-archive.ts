import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type AddedFile, appendToTar } from '../../model/append-to-tar.ts';

/** An archive in the application's bucket. */
interface PackedArchive {
  readonly key: string;
  readonly etag: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Writes an archive once more with further files; equal input gives the same digest, as a repetition of the step needs. Undefined if the
 * source is not there, or has another ETag.
 */
export async function packArchive(
  store: ObjectStore,
  from: {
    readonly bucket?: string;
    readonly key: string;
    readonly etag: string;
    readonly versionId?: string;
  },
  key: string,
  added: readonly AddedFile[],
): Promise<PackedArchive | undefined> {
  const source = await store.in(from.bucket ?? store.bucket).open(from.key, from.versionId);
  if (source?.etag !== from.etag) return undefined;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* measured(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of packed) {
      hash.update(piece);
      sizeBytes += piece.length;
      yield piece;
    }
  }
  await pipeline(
    source.body,
    createGunzip(),
    (unpacked: AsyncIterable<Uint8Array>) => appendToTar(unpacked, added),
    createGzip(),
    (packed: AsyncIterable<Uint8Array>) =>
      store.writeStream(key, measured(packed), { contentType: 'application/gzip' }),
  );
  const etag = (await store.describe(key))?.etag ?? '';
  return { key, etag, sha256: hash.digest('hex'), sizeBytes };
}
