import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { holdsDigest } from '../run/keep-archive.ts';

/** The archive to replace, and the new one. */
export interface Replacement {
  readonly sha256: string;
  /** ETag of the archive to replace; null for none. */
  readonly etag: string | null;
}

/** Whether the pipeline's archive is the new one now. */
export type Replaced =
  | { readonly status: 'replaced'; readonly replacedEtag: string | null }
  /** A repetition, or an equal archive by another writer. */
  | { readonly status: 'there-already' }
  /** Another archive than expected. */
  | { readonly status: 'other'; readonly etag: string | null };

/** Makes the archive of a digest the pipeline's, but only if it replaces the one that it was compared with. */
export async function replaceModel(
  store: ObjectStore,
  { pipeline }: Pick<RunParts, 'pipeline'>,
  { sha256, etag }: Replacement,
): Promise<Replaced> {
  const key = bucketLayout.pipelineModel(pipeline);
  const now = (await store.describe(key))?.etag ?? null;
  if (now !== null && (await holdsDigest(store, key, sha256))) return { status: 'there-already' };
  if (now !== etag || !(await store.copyOver(bucketLayout.model(sha256), key, etag)))
    return { status: 'other', etag: now };
  return { status: 'replaced', replacedEtag: etag };
}
