import * as z from 'zod';
import type { BucketConfiguration } from './bucket-configuration.ts';

/** Not an error where it was never set: the document is empty then. MFA delete is not emulated. */
export const versioning: BucketConfiguration<{ readonly Status?: 'Enabled' | 'Suspended' | undefined }> = {
  subresource: 'versioning',
  noun: 'BucketVersioning',
  root: 'VersioningConfiguration',
  schema: z.strictObject({ Status: z.enum(['Enabled', 'Suspended']).optional() }),
  absent: { value: {} },
};
