import * as z from 'zod';

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const count = z.coerce.number().int().nonnegative();
const tag = z.strictObject({ Key: z.string(), Value: z.string() });

const EncryptionRule = z.strictObject({
  ServerSideEncryptionByDefault: z
    .strictObject({
      SSEAlgorithm: z.enum(['AES256', 'aws:kms', 'aws:kms:dsse']),
      KMSMasterKeyID: z.string().optional(),
    })
    .optional(),
  BucketKeyEnabled: flag.optional(),
});

const transition = z.strictObject({
  StorageClass: z.string(),
  TransitionInDays: count.optional(),
  TransitionDate: z.string().optional(),
});
const noncurrentTransition = z.strictObject({
  StorageClass: z.string(),
  TransitionInDays: count,
  NewerNoncurrentVersions: count.optional(),
});

const LifecycleRule = z.strictObject({
  Id: z.string().optional(),
  Status: z.enum(['Enabled', 'Disabled']),
  Prefix: z.string().optional(),
  TagFilters: z.array(tag).optional(),
  ObjectSizeGreaterThan: z.coerce.string().optional(),
  ObjectSizeLessThan: z.coerce.string().optional(),
  ExpirationInDays: count.optional(),
  ExpirationDate: z.string().optional(),
  ExpiredObjectDeleteMarker: flag.optional(),
  NoncurrentVersionExpirationInDays: count.optional(),
  NoncurrentVersionExpiration: z
    .strictObject({ NoncurrentDays: count, NewerNoncurrentVersions: count.optional() })
    .optional(),
  AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: count }).optional(),
  Transitions: z.array(transition).optional(),
  NoncurrentVersionTransitions: z.array(noncurrentTransition).optional(),
});

/** Every property of `AWS::S3::Bucket` that this stack understands. Others are refused rather than forgotten. */
export const BucketProperties = z.strictObject({
  BucketName: z.string().optional(),
  BucketEncryption: z
    .strictObject({ ServerSideEncryptionConfiguration: z.array(EncryptionRule).length(1) })
    .optional(),
  VersioningConfiguration: z.strictObject({ Status: z.enum(['Enabled', 'Suspended']) }).optional(),
  NotificationConfiguration: z
    .strictObject({
      EventBridgeConfiguration: z.strictObject({ EventBridgeEnabled: flag.optional() }).optional(),
    })
    .optional(),
  LifecycleConfiguration: z
    .strictObject({
      Rules: z.array(LifecycleRule).min(1),
      TransitionDefaultMinimumObjectSize: z.string().optional(),
    })
    .optional(),
  PublicAccessBlockConfiguration: z
    .strictObject({
      BlockPublicAcls: flag.optional(),
      IgnorePublicAcls: flag.optional(),
      BlockPublicPolicy: flag.optional(),
      RestrictPublicBuckets: flag.optional(),
    })
    .optional(),
  OwnershipControls: z
    .strictObject({
      Rules: z
        .array(
          z.strictObject({
            ObjectOwnership: z.enum(['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter']),
          }),
        )
        .length(1),
    })
    .optional(),
  Tags: z.array(tag).optional(),
});
export type BucketProperties = z.infer<typeof BucketProperties>;
