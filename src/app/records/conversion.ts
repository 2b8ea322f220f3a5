import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Points to the tar that this converter version produced. The tar is written first, so concurrent conversions are both valid. */
export const conversionJson = jsonDocument({
  key: bucketLayout.conversion,
  schema: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: z.int().nonnegative() }),
  write: 'replace',
});
