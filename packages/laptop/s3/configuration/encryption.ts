import * as z from 'zod';
import type { BucketConfiguration } from './bucket-configuration.ts';

const Rule = z.strictObject({
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
export const encryption: BucketConfiguration<{ readonly Rule: readonly z.infer<typeof Rule>[] }> = {
  subresource: 'encryption',
  noun: 'BucketEncryption',
  root: 'ServerSideEncryptionConfiguration',
  lists: ['Rule', 'EncryptionType'],
  schema: z.strictObject({ Rule: z.array(Rule).length(1) }),
  absent: {
    value: {
      Rule: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: 'false' }],
    },
  },
};
