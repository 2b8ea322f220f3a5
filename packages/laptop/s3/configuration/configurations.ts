import * as z from 'zod';
import { Tagging, toTags } from '../object/tags.ts';
import type { BucketConfiguration } from './bucket-configuration.ts';

/** Not an error where it was never set: the document is empty then. MFA delete is not emulated. */
export const versioning: BucketConfiguration<{ readonly Status?: 'Enabled' | 'Suspended' | undefined }> = {
  subresource: 'versioning',
  noun: 'BucketVersioning',
  root: 'VersioningConfiguration',
  schema: z.strictObject({ Status: z.enum(['Enabled', 'Suspended']).optional() }),
  absent: { value: {} },
};

/** Only EventBridge: a notification to a queue, topic or function is refused as unknown, with its name. */
export const notification: BucketConfiguration<{
  readonly EventBridgeConfiguration?: Record<string, never> | undefined;
}> = {
  subresource: 'notification',
  noun: 'BucketNotificationConfiguration',
  root: 'NotificationConfiguration',
  schema: z.preprocess(
    (value) => (value === '' ? {} : value),
    z.strictObject({
      EventBridgeConfiguration: z
        .preprocess((value) => (value === '' ? {} : value), z.strictObject({}))
        .optional(),
    }),
  ),
  absent: { value: {} },
};

const EncryptionRule = z.strictObject({
  ApplyServerSideEncryptionByDefault: z
    .strictObject({
      SSEAlgorithm: z.enum(['AES256', 'aws:kms', 'aws:kms:dsse']),
      KMSMasterKeyID: z.string().optional(),
    })
    .optional(),
  BucketKeyEnabled: z.enum(['true', 'false']).optional(),
  BlockedEncryptionTypes: z.strictObject({ EncryptionType: z.array(z.enum(['SSE-C', 'NONE'])) }).optional(),
});

/** Recorded and returned with each object; the bytes on disk are not encrypted. */
export const encryption: BucketConfiguration<{ readonly Rule: readonly z.infer<typeof EncryptionRule>[] }> = {
  subresource: 'encryption',
  noun: 'BucketEncryption',
  root: 'ServerSideEncryptionConfiguration',
  lists: ['Rule', 'EncryptionType'],
  schema: z.strictObject({ Rule: z.array(EncryptionRule).length(1) }),
  absent: {
    value: {
      Rule: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: 'false' }],
    },
  },
};

const OwnershipRule = z.strictObject({
  ObjectOwnership: z.enum(['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter']),
});

/** Recorded: there is one account, and access control lists are refused whatever it says. */
export const ownershipControls: BucketConfiguration<{
  readonly Rule: readonly z.infer<typeof OwnershipRule>[];
}> = {
  subresource: 'ownershipControls',
  noun: 'BucketOwnershipControls',
  root: 'OwnershipControls',
  lists: ['Rule'],
  schema: z.strictObject({ Rule: z.array(OwnershipRule).length(1) }),
  absent: { code: 'OwnershipControlsNotFoundError', message: 'The bucket ownership controls were not found' },
};

const flag = z.enum(['true', 'false']).optional();
const PublicAccess = z.strictObject({
  BlockPublicAcls: flag,
  IgnorePublicAcls: flag,
  BlockPublicPolicy: flag,
  RestrictPublicBuckets: flag,
});

/** Recorded: anonymous requests are refused whatever it says. */
export const publicAccessBlock: BucketConfiguration<z.infer<typeof PublicAccess>> = {
  subresource: 'publicAccessBlock',
  noun: 'PublicAccessBlock',
  root: 'PublicAccessBlockConfiguration',
  schema: PublicAccess,
  absent: {
    code: 'NoSuchPublicAccessBlockConfiguration',
    message: 'The public access block configuration was not found',
  },
};

type TagSet = { readonly TagSet: { readonly Tag: readonly { Key: string; Value: string }[] } };

/** Tags of a bucket. */
export const tagging: BucketConfiguration<TagSet> = {
  ...Tagging,
  subresource: 'tagging',
  noun: 'BucketTagging',
  check: ({ TagSet: { Tag } }) =>
    void toTags(
      Tag.map(({ Key, Value }) => [Key, Value]),
      'Bucket',
    ),
  absent: { code: 'NoSuchTagSet', message: 'The TagSet does not exist' },
};
