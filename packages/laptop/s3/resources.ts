import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { bucketResource } from './resources/bucket.ts';
import { bucketPolicyResource } from './resources/bucket-policy.ts';
import type { ObjectStorage } from './store/object-storage.ts';

/** The CloudFormation types of S3 that this stack makes. */
export function s3Resources(storage: ObjectStorage): ResourceTypes {
  return {
    'AWS::S3::Bucket': bucketResource(storage),
    'AWS::S3::BucketPolicy': bucketPolicyResource(storage),
  };
}
