import { createHash } from 'node:crypto';
import type { CopiedObject, ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isReplaced } from '../records/replaced-source.ts';

/**
 * Copies an archive within S3 to its key by digest, by version if there is one, and verifies the digest of the copy, or of
 * an existing one. False if the source was replaced meanwhile.
 */
export async function keepArchive(
  store: ObjectStore,
  sha256: string,
  source: CopiedObject,
): Promise<boolean> {
  const kept = bucketLayout.model(sha256);
  if (await holdsDigest(store, kept, sha256)) return true;
  try {
    await store.copy(source, kept);
  } catch (error) {
    if (isReplaced(error)) return false;
    throw error;
  }
  return holdsDigest(store, kept, sha256);
}

/** Whether an object's bytes have the digest: by S3's own checksum, or by reading an object without one. */
export async function holdsDigest(store: ObjectStore, key: string, sha256: string): Promise<boolean> {
  const found = await store.keptSha256(key);
  if (found !== null) return found === sha256;
  const hash = createHash('sha256');
  for await (const chunk of (await store.readStream(key)) ?? []) hash.update(chunk);
  return hash.digest('hex') === sha256;
}
