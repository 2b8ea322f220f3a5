import * as z from 'zod';
import type { BucketConfiguration } from './bucket-configuration.ts';

const Rule = z.strictObject({
  ObjectOwnership: z.enum(['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter']),
});

/** Recorded: there is one account, and access control lists are refused whatever it says. */
export const ownershipControls: BucketConfiguration<{ readonly Rule: readonly z.infer<typeof Rule>[] }> = {
  subresource: 'ownershipControls',
  noun: 'BucketOwnershipControls',
  root: 'OwnershipControls',
  lists: ['Rule'],
  schema: z.strictObject({ Rule: z.array(Rule).length(1) }),
  absent: { code: 'OwnershipControlsNotFoundError', message: 'The bucket ownership controls were not found' },
};
