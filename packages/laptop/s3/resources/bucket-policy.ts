import * as z from 'zod';
import type { ResourceType } from '../../cloudformation/resource-type.ts';
import { keepPolicy } from '../configuration/policy.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import { parseProperties } from './parse-properties.ts';

const Properties = z.strictObject({ Bucket: z.string(), PolicyDocument: z.looseObject({}) });

/** `AWS::S3::BucketPolicy`; its physical id is the bucket's name. */
export function bucketPolicyResource(storage: ObjectStorage): ResourceType {
  return {
    async apply(properties, { logicalId }) {
      const { Bucket, PolicyDocument } = parseProperties(
        'AWS::S3::BucketPolicy',
        logicalId,
        Properties,
        properties,
      );
      storage.catalog.bucket(Bucket);
      keepPolicy(storage, Bucket, JSON.stringify(PolicyDocument));
      return { ref: Bucket, attributes: {} };
    },
    async remove(bucket) {
      if (!storage.catalog.buckets.get(bucket)?.configurations.has('policy')) return;
      storage.commit({ op: 'configure', bucket, name: 'policy', value: null });
    },
  };
}
