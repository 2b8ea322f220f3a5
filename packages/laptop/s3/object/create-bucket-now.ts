import { AwsError } from '../../kernel/aws-error.ts';
import type { ObjectStorage } from '../store/object-storage.ts';

/** @throws {AwsError} `BucketAlreadyOwnedByYou`, `InvalidBucketName` */
export function createBucketNow(storage: ObjectStorage, bucket: string): void {
  if (!isBucketName(bucket))
    throw new AwsError(
      'InvalidBucketName',
      'The specified bucket is not valid: a name has 3..63 lower-case letters, digits, dots and hyphens, and none of ' +
        `the reserved beginnings and ends, is ${bucket}`,
      { details: { BucketName: bucket } },
    );
  if (storage.catalog.buckets.has(bucket))
    throw new AwsError(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      { statusCode: 409, details: { BucketName: bucket } },
    );
  storage.commit({ op: 'create-bucket', bucket, createdMs: storage.nowInSeconds() });
}

function isBucketName(name: string): boolean {
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !name.includes('..') &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name) &&
    !/^(xn--|sthree-|amzn-s3-demo-)|(-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(name)
  );
}
