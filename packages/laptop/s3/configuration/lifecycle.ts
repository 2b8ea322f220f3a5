import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { BucketConfiguration } from './bucket-configuration.ts';

const days = z.string().regex(/^\d{1,9}$/);
const tag = z.strictObject({ Key: z.string(), Value: z.string() });
const criteria = {
  Prefix: z.string().optional(),
  ObjectSizeGreaterThan: days.optional(),
  ObjectSizeLessThan: days.optional(),
};

const Rule = z.strictObject({
  ID: z.string().max(255).optional(),
  /** Where rules had their prefix before there were filters. */
  Prefix: z.string().optional(),
  Filter: z
    .preprocess(
      (value) => (value === '' ? {} : value),
      z.strictObject({
        ...criteria,
        Tag: z.array(tag).max(1).optional(),
        And: z.strictObject({ ...criteria, Tag: z.array(tag).optional() }).optional(),
      }),
    )
    .optional(),
  Status: z.enum(['Enabled', 'Disabled']),
  Expiration: z
    .strictObject({
      Days: days.optional(),
      Date: z.string().optional(),
      ExpiredObjectDeleteMarker: z.enum(['true', 'false']).optional(),
    })
    .optional(),
  NoncurrentVersionExpiration: z
    .strictObject({ NoncurrentDays: days.optional(), NewerNoncurrentVersions: days.optional() })
    .optional(),
  AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: days }).optional(),
  Transition: z
    .array(z.strictObject({ Days: days.optional(), Date: z.string().optional(), StorageClass: z.string() }))
    .optional(),
  NoncurrentVersionTransition: z
    .array(
      z.strictObject({
        NoncurrentDays: days.optional(),
        NewerNoncurrentVersions: days.optional(),
        StorageClass: z.string(),
      }),
    )
    .optional(),
});
const ACTIONS = [
  'Expiration',
  'NoncurrentVersionExpiration',
  'AbortIncompleteMultipartUpload',
  'Transition',
  'NoncurrentVersionTransition',
] as const;
export type LifecycleRule = z.infer<typeof Rule>;

/** Carried out each midnight (`lifecycle/`), but for transitions: a storage class has no effect here. */
export const lifecycle: BucketConfiguration<{ readonly Rule: readonly LifecycleRule[] }> = {
  subresource: 'lifecycle',
  noun: 'BucketLifecycleConfiguration',
  root: 'LifecycleConfiguration',
  lists: ['Rule', 'Tag', 'Transition', 'NoncurrentVersionTransition'],
  schema: z.strictObject({ Rule: z.array(Rule).min(1).max(1000) }),
  check: ({ Rule: rules }) => {
    const ids = rules.flatMap(({ ID }) => ID ?? []);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      throw new AwsError(
        'InvalidArgument',
        `Rule ID must be unique. Found same ID for more than one rule: ${twice}`,
      );
    if (rules.some((rule) => ACTIONS.every((action) => rule[action] === undefined)))
      throw new AwsError('InvalidRequest', 'At least one action needs to be specified in a rule');
  },
  absent: { code: 'NoSuchLifecycleConfiguration', message: 'The lifecycle configuration does not exist' },
};
