import type { S3Operation } from '../operation.ts';

export const headBucket: S3Operation = {
  name: 'HeadBucket',
  method: 'HEAD',
  on: 'bucket',
  run({ bucket }, { catalog, site }) {
    catalog.bucket(bucket);
    return { headers: { 'x-amz-bucket-region': site.region, 'x-amz-access-point-alias': 'false' } };
  },
};
