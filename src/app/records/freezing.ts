import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** `freezing`: a generation's files are being listed; what is uploaded from now on may belong to the next. */
const FreezingMark = z.object({
  schema: z.literal(1),
  run: z.string(),
  executionArn: z.string(),
  at: z.iso.datetime(),
  /** Whether files still arrived after drop.maxWaitMinutes. */
  isCut: z.boolean(),
});

/** A rerun, which waits for nothing, has no mark. */
export const freezingMark = jsonDocument({ key: bucketLayout.freezing, schema: FreezingMark, write: 'once' });
