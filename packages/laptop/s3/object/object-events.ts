import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';

/** Call that made an object: the `reason` of its `Object Created` event. */
export type CreationReason = 'PutObject' | 'CopyObject' | 'CompleteMultipartUpload';

/** The cause of a change. */
export interface Cause {
  readonly requestId: string;
  /** A lifecycle rule of the bucket, and no caller. */
  readonly isRule?: true;
}

/** Puts `Object Created` on the bus, if the bucket sends its events there. */
export function announceCreated(
  storage: ObjectStorage,
  at: { readonly bucket: string; readonly key: string },
  version: ObjectVersion,
  reason: CreationReason,
  cause: Cause,
): void {
  announce(storage, at, 'Object Created', cause, {
    object: { key: at.key, size: version.size, etag: version.etag, ...idOf(version), ...sequencer(storage) },
    reason,
  });
}

/** Puts `Object Deleted` on the bus: a version that is gone for good, or a delete marker that now hides the key. */
export function announceDeleted(
  storage: ObjectStorage,
  at: { readonly bucket: string; readonly key: string },
  version: ObjectVersion,
  deletionType: 'Permanently Deleted' | 'Delete Marker Created',
  cause: Cause,
): void {
  const etag = version.etag === '' ? {} : { etag: version.etag };
  announce(storage, at, 'Object Deleted', cause, {
    object: { key: at.key, ...etag, ...idOf(version), ...sequencer(storage) },
    reason: cause.isRule ? 'Lifecycle Expiration' : 'DeleteObject',
    'deletion-type': deletionType,
  });
}

function announce(
  storage: ObjectStorage,
  { bucket }: { readonly bucket: string },
  detailType: string,
  { requestId, isRule }: Cause,
  detail: Readonly<Record<string, unknown>>,
): void {
  const { catalog, bus, site, clock } = storage;
  const notification = catalog.bucket(bucket).configurations.get('notification');
  if (
    typeof notification !== 'object' ||
    notification === null ||
    !('EventBridgeConfiguration' in notification)
  )
    return;
  storage.announced = bus.put({
    source: 'aws.s3',
    'detail-type': detailType,
    resources: [`arn:${site.partition}:s3:::${bucket}`],
    timeMs: clock.now(),
    detail: {
      version: '0',
      bucket: { name: bucket },
      'request-id': requestId,
      ...(isRule
        ? { requester: 's3.amazonaws.com' }
        : { requester: site.account, 'source-ip-address': '127.0.0.1' }),
      ...detail,
    },
  });
}

function idOf({ versionId }: ObjectVersion): { readonly 'version-id'?: string } {
  return versionId === 'null' ? {} : { 'version-id': versionId };
}

function sequencer(storage: ObjectStorage): { readonly sequencer: string } {
  return { sequencer: storage.nextSequencer() };
}
