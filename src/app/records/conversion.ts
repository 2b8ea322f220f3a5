import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/**
 * Document of what a version of the converter has made of an archive: a tar, by its digest, written before. So two that convert at
 * once write documents of which each is right.
 */
export const conversionJson = jsonDocument({
  key: bucketLayout.conversion,
  schema: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: z.int().nonnegative() }),
  write: 'replace',
});
