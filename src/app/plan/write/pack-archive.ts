import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { type AddedFile, appendToTar } from '../../../model/append-to-tar.ts';
import type { FoundModel } from '../../../plan/found.ts';
import type { JudgedModel } from '../../../plan/judge/judge-model.ts';
import type { Written } from '../../../plan/written.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';

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

/**
 * Writes the archives that a run uses: the one that was found, with a handler added for endpoints, and with one that opens
 * bundles for jobs.
 */
export async function packModel(
  store: ObjectStore,
  run: RunParts,
  { artifact, place, archive }: FoundModel,
  { handler, opening }: JudgedModel['added'],
): Promise<Written['model']> {
  if (place === undefined || archive === undefined || 'reason' in archive)
    throw new RangeError(`${artifact} was not read`);
  const { sha256, sizeBytes } = archive;
  const found: StoredArchive = { ...place, sha256, sizeBytes };
  const alone = await withFiles(store, bucketLayout.packed(run), handler, found);
  const packed = await withFiles(store, bucketLayout.packedForBundles(run), opening, found, alone);
  return {
    ...toPlanned(packed),
    sizeBytes: packed.sizeBytes,
    served: packed === alone ? null : toPlanned(alone),
    given: alone === found ? null : { artifact, sha256 },
  };
}

/** An archive as it lies in a bucket. */
interface StoredArchive extends PackedArchive {
  readonly bucket: string;
  readonly versionId?: string;
}

function toPlanned({ bucket, key, versionId, etag, sha256 }: StoredArchive) {
  return {
    artifact: `s3://${bucket}/${key}`,
    artifactVersion: versionId ?? null,
    artifactEtag: etag,
    sha256,
  };
}

/** An archive, packed with further files into the run's folder; `otherwise` if there are none. */
async function withFiles(
  store: ObjectStore,
  place: string,
  added: readonly AddedFile[],
  found: StoredArchive,
  otherwise = found,
): Promise<StoredArchive> {
  if (added.length === 0) return otherwise;
  // By its ETag: versions are PrepareModel's to read.
  const { bucket, key, etag } = found;
  const packed = await packArchive(store, { bucket, key, etag }, place, added);
  // Replaced while it was read: PrepareModel reports archives that are gone.
  return packed === undefined ? found : { bucket: store.bucket, ...packed };
}
