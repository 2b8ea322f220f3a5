import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** `GetBucketLocation`: the region of the stack. */
export const getBucketLocation: S3Operation = {
  name: 'GetBucketLocation',
  method: 'GET',
  on: 'bucket',
  needs: ['location'],
  permissions: onBucket('GetBucketLocation'),
  run({ bucket }, { catalog, site }) {
    catalog.bucket(bucket);
    // us-east-1 is returned as an empty LocationConstraint.
    return { xml: s3Xml('LocationConstraint', site.region === 'us-east-1' ? '' : site.region) };
  },
};
