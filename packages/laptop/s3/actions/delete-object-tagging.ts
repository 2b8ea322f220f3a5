import { findVersion } from '../object/find-version.ts';
import { announceTags } from '../object/object-events.ts';
import { versionHeader } from '../object/store-version.ts';
import type { S3Operation } from '../operation.ts';

/** `DeleteObjectTagging`: puts `Object Tags Deleted` on the bus, also for a version that has no tags. */
export const deleteObjectTagging: S3Operation = {
  name: 'DeleteObjectTagging',
  method: 'DELETE',
  on: 'object',
  needs: ['tagging'],
  allows: ['versionId'],
  run({ bucket, key, query, request }, storage) {
    const version = findVersion(storage, { bucket, key }, query.get('versionId') ?? undefined);
    storage.commit({ op: 'tag', bucket, key, versionId: version.versionId, tags: {} });
    announceTags(storage, { bucket, key }, version, 'Deleted', request);
    return { status: 204, headers: versionHeader(storage, bucket, version) };
  },
};
