import type { S3Operation } from '../operation.ts';

/** `HeadBucket`: with the region of the stack in `x-amz-bucket-region`. */
export const headBucket: S3Operation = {
  name: 'HeadBucket',
  method: 'HEAD',
  on: 'bucket',
  run({ bucket }, { catalog, site }) {
    catalog.bucket(bucket);
    return { headers: { 'x-amz-bucket-region': site.region, 'x-amz-access-point-alias': 'false' } };
  },
};
