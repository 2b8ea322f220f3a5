import * as z from 'zod';
import { resource } from '../../cloudformation/resource.ts';
import type { ResourceTypes } from '../../cloudformation/resource-type.ts';
import { keepPolicy } from '../configuration/policy.ts';
import type { ObjectStorage } from '../store/object-storage.ts';

const Properties = z.strictObject({ Bucket: z.string(), PolicyDocument: z.looseObject({}) });

/** `AWS::S3::BucketPolicy`; its physical id is the bucket's name. */
export function bucketPolicyResource(storage: ObjectStorage): ResourceTypes {
  return resource('AWS::S3::BucketPolicy', {
    properties: Properties,
    async apply({ Bucket, PolicyDocument }) {
      storage.catalog.bucket(Bucket);
      keepPolicy(storage, Bucket, JSON.stringify(PolicyDocument));
      return { ref: Bucket, attributes: {} };
    },
    async remove(bucket) {
      if (!storage.catalog.buckets.get(bucket)?.configurations.has('policy')) return;
      storage.commit({ op: 'configure', bucket, name: 'policy', value: null });
    },
  });
}
