import * as z from 'zod';
import type { BucketConfiguration } from './bucket-configuration.ts';

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
