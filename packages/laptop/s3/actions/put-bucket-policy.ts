import { readVerifiedText } from '../body/read-verified-xml.ts';
import { keepPolicy } from '../configuration/policy.ts';
import type { S3Operation } from '../operation.ts';

/** `PutBucketPolicy`: enforced from the next call on. A public policy is refused unless `BlockPublicPolicy` has been turned off. */
export const putBucketPolicy: S3Operation = {
  name: 'PutBucketPolicy',
  method: 'PUT',
  on: 'bucket',
  needs: ['policy'],
  async run(call, storage) {
    storage.catalog.bucket(call.bucket);
    keepPolicy(storage, call.bucket, await readVerifiedText(call));
    return { status: 204 };
  },
};
