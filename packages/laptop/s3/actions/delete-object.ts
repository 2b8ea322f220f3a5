import { AwsError } from '../../kernel/aws-error.ts';
import { deleteVersion } from '../object/delete-version.ts';
import { checkWriteConditions } from '../object/write-conditions.ts';
import type { S3Operation } from '../operation.ts';
import { ofVersion, onOne } from '../permissions.ts';

/** `DeleteObject`: `If-Match` is compared with the current version. A key that is not there is answered with 204. */
export const deleteObject: S3Operation = {
  name: 'DeleteObject',
  method: 'DELETE',
  on: 'object',
  allows: ['versionId'],
  permissions: (call, storage) => [onOne(ofVersion('DeleteObject', call), call, call, storage)],
  run({ bucket, key, query, headers, request }, storage) {
    refuseConditions(headers);
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

/** Refuses conditions that only directory buckets have, as AWS does: ignoring one would delete the object that it protects. */
function refuseConditions(headers: Readonly<Record<string, string>>): void {
  const name = Object.keys(headers).find((header) => header.startsWith('x-amz-if-match-'));
  if (name === undefined) return;
  throw new AwsError('NotImplemented', `The local S3 does not emulate the header ${name}`, {
    statusCode: 501,
    details: { Header: name },
  });
}
