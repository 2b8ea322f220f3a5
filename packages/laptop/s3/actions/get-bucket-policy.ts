import { AwsError } from '../../kernel/aws-error.ts';
import type { S3Operation } from '../operation.ts';

/** `GetBucketPolicy`: the text as it was put. */
export const getBucketPolicy: S3Operation = {
  name: 'GetBucketPolicy',
  method: 'GET',
  on: 'bucket',
  needs: ['policy'],
  run({ bucket }, { catalog }) {
    const policy = catalog.bucket(bucket).configurations.get('policy');
    if (typeof policy === 'string') return { text: policy, headers: { 'content-type': 'application/json' } };
    throw new AwsError('NoSuchBucketPolicy', 'The bucket policy does not exist', {
      statusCode: 404,
      details: { BucketName: bucket },
    });
  },
};
