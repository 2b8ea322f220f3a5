import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { announceDeleted, type Cause } from './object-events.ts';
import { newVersionId, versioningOf } from './store-version.ts';

interface Deletion {
  /** The version that was removed or the marker that was made; undefined in a bucket without versions. */
  readonly versionId?: string;
  /** True if a marker was made or removed. */
  readonly deleteMarker: boolean;
}

/** Deletes a key as its bucket's versioning has it, or one version for good. What is not there is deleted already. */
export function deleteVersion(
  storage: ObjectStorage,
  at: { readonly bucket: string; readonly key: string; readonly versionId: string | undefined },
  cause: Cause,
): Deletion {
  const bucket = storage.catalog.bucket(at.bucket);
  if (at.versionId !== undefined) {
    const version = bucket.version(at.key, at.versionId);
    if (version) removeForGood(storage, at, version, cause);
    return { versionId: at.versionId, deleteMarker: version?.deleteMarker ?? false };
  }
  if (versioningOf(storage, at.bucket) !== undefined) return hide(storage, at, cause);
  const current = bucket.newest(at.key);
  if (current) removeForGood(storage, at, current, cause);
  return { deleteMarker: false };
}

function removeForGood(
  storage: ObjectStorage,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  version: ObjectVersion,
  cause: Cause,
): void {
  storage.commit({ op: 'remove', bucket, key, versionId: version.versionId });
  announceDeleted(storage, { bucket, key }, version, 'Permanently Deleted', cause);
}

function hide(
  storage: ObjectStorage,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  cause: Cause,
): Deletion {
  const marker: ObjectVersion = {
    versionId: newVersionId(storage, bucket),
    deleteMarker: true,
    lastModifiedMs: storage.nowInSeconds(),
    size: 0,
    etag: '',
    segments: [],
    headers: {},
    metadata: {},
    tags: {},
  };
  storage.commit({ op: 'put', bucket, key, version: marker });
  announceDeleted(storage, { bucket, key }, marker, 'Delete Marker Created', cause);
  return { versionId: marker.versionId, deleteMarker: true };
}
