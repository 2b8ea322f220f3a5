import { receiveBody } from '../body/receive-body.ts';
import { checksumHeader } from '../checksum/checksum-digest.ts';
import { describeObject } from '../object/describe-object.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import { storeVersion, versionHeader } from '../object/store-version.ts';
import { checkWriteConditions, writeConditions } from '../object/write-conditions.ts';
import type { S3Operation } from '../operation.ts';
import { newKey, onObject } from '../permissions.ts';
import { quoted } from '../xml/s3-xml.ts';

/** `PutObject`: up to 5 GiB. Conditions are checked before the body is read, and again when the object is stored. */
export const putObject: S3Operation = {
  name: 'PutObject',
  method: 'PUT',
  on: 'object',
  permissions: (call, storage) => [...onObject('PutObject', call, storage), ...newKey(call, storage)],
  async run(call, storage) {
    const { bucket, key, headers, request } = call;
    const conditions = writeConditions(headers);
    checkWriteConditions(conditions, storage.catalog.bucket(bucket).current(key));
    const description = describeObject(storage, bucket, headers);
    const { segments, size, md5, checksum } = await receiveBody(call, storage);
    try {
      const version = storeVersion(storage, {
        bucket,
        key,
        content: {
          lastModifiedMs: storage.nowInSeconds(),
          size,
          etag: md5,
          segments,
          checksum: { ...checksum, type: 'FULL_OBJECT' },
          ...description,
        },
        conditions,
        reason: 'PutObject',
        cause: request,
      });
      return {
        headers: {
          etag: quoted(md5),
          [checksumHeader(checksum.algorithm)]: checksum.value,
          'x-amz-checksum-type': 'FULL_OBJECT',
          ...encryptionAnswer(version),
          ...versionHeader(storage, bucket, version),
        },
      };
    } finally {
      storage.bodies.release(segments);
    }
  },
};
