import { randomBytes } from 'node:crypto';
import { AwsError } from '../../kernel/aws-error.ts';
import { describeObject } from '../object/describe-object.ts';
import { encryptionAnswer } from '../object/object-headers.ts';
import type { S3Operation } from '../operation.ts';
import { newKey, onObject } from '../permissions.ts';
import { CHECKSUM_ALGORITHMS } from '../store/object-version.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** `CreateMultipartUpload`: the type of the checksum is by default `FULL_OBJECT` for CRC64NVME, else `COMPOSITE`. */
export const createMultipartUpload: S3Operation = {
  name: 'CreateMultipartUpload',
  method: 'POST',
  on: 'object',
  needs: ['uploads'],
  permissions: (call, storage) => [...onObject('PutObject', call, storage), ...newKey(call, storage)],
  run({ bucket, key, headers }, storage) {
    storage.catalog.bucket(bucket);
    const description = describeObject(storage, bucket, headers);
    const { algorithm, type } = wantedChecksum(headers);
    const uploadId = randomBytes(36).toString('base64url');
    storage.commit({
      op: 'begin-upload',
      upload: {
        uploadId,
        bucket,
        key,
        initiatedMs: storage.nowInSeconds(),
        ...(algorithm ? { checksumAlgorithm: algorithm } : {}),
        ...(type ? { checksumType: type } : {}),
        ...description,
      },
    });
    return {
      xml: s3Xml('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: uploadId }),
      headers: {
        'x-amz-checksum-algorithm': algorithm,
        'x-amz-checksum-type': algorithm && type,
        ...encryptionAnswer(description),
      },
    };
  },
};

function wantedChecksum(headers: Readonly<Record<string, string>>) {
  const named = headers['x-amz-checksum-algorithm']?.toUpperCase();
  const algorithm = CHECKSUM_ALGORITHMS.find((candidate) => candidate === named);
  if (named !== undefined && algorithm === undefined) {
    throw new AwsError(
      'InvalidRequest',
      `x-amz-checksum-algorithm must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, is ${named}`,
    );
  }
  const asked = headers['x-amz-checksum-type']?.toUpperCase();
  const byDefault = algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE';
  const type = asked ?? byDefault;
  const isPossible =
    type === 'FULL_OBJECT'
      ? algorithm !== 'SHA1' && algorithm !== 'SHA256'
      : type === 'COMPOSITE' && algorithm !== 'CRC64NVME';
  if (isPossible)
    return { algorithm, type: type === 'FULL_OBJECT' ? ('FULL_OBJECT' as const) : ('COMPOSITE' as const) };
  throw new AwsError(
    'InvalidRequest',
    `The ${type} checksum type cannot be used with the ${named} checksum algorithm.`,
  );
}
