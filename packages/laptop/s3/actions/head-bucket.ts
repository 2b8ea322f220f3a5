import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';

/** `HeadBucket`: with the region of the stack in `x-amz-bucket-region`. */
export const headBucket: S3Operation = {
  name: 'HeadBucket',
  method: 'HEAD',
  on: 'bucket',
  permissions: onBucket('ListBucket'),
  run({ bucket }, { catalog, site }) {
    catalog.bucket(bucket);
    return { headers: { 'x-amz-bucket-region': site.region, 'x-amz-access-point-alias': 'false' } };
  },
};
