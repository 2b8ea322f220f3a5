import { deleteVersion } from '../object/delete-version.ts';
import { checkWriteConditions } from '../object/write-conditions.ts';
import type { S3Operation } from '../operation.ts';

export const deleteObject: S3Operation = {
  name: 'DeleteObject',
  method: 'DELETE',
  on: 'object',
  allows: ['versionId'],
  run({ bucket, key, query, headers, request }, storage) {
    checkWriteConditions({ ifMatch: headers['if-match'] }, storage.catalog.bucket(bucket).current(key));
    const versionId = query.get('versionId') ?? undefined;
    const deletion = deleteVersion(storage, { bucket, key, versionId }, request);
    return {
      status: 204,
      headers: {
        'x-amz-version-id': deletion.versionId,
        'x-amz-delete-marker': deletion.deleteMarker ? 'true' : undefined,
      },
    };
  },
};
