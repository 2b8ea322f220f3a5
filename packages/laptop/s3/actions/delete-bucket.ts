import { AwsError } from '../../kernel/aws-error.ts';
import type { S3Operation } from '../operation.ts';

/** `DeleteBucket`: refused as long as there is a version or a delete marker; multipart uploads end with the bucket. */
export const deleteBucket: S3Operation = {
  name: 'DeleteBucket',
  method: 'DELETE',
  on: 'bucket',
  run({ bucket }, storage) {
    if (!storage.catalog.bucket(bucket).isEmpty) {
      throw new AwsError(
        'BucketNotEmpty',
        'The bucket you tried to delete is not empty. You must delete all versions in the bucket.',
        { statusCode: 409, details: { BucketName: bucket } },
      );
    }
    const uploads = [...storage.catalog.uploads.values()].filter((upload) => upload.bucket === bucket);
    storage.commit(...uploads.map(({ uploadId }) => ({ op: 'end-upload', uploadId }) as const), {
      op: 'delete-bucket',
      bucket,
    });
    return { status: 204 };
  },
};
