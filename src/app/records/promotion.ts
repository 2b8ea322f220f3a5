import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId } from '../../run/run-id.ts';
import { PromotionOutcome } from '../../training/judge-promotion.ts';
import { jsonDocument } from './document.ts';

/** `promotion.json`: whether the model of a training has become its pipeline's. */
const Promotion = z.object({
  schema: z.literal(1),
  promotion: PromotionOutcome,
  /** Why, in a sentence. */
  reason: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The run that judged the model; null if none did. */
  candidateRun: RunId.nullable(),
  /** `gate`, or the person who asked for it. */
  by: z.string(),
  at: z.iso.datetime(),
  /** ETag of the archive that it replaced; null if there was none, or nothing was promoted. */
  replacedEtag: z.string().nullable(),
});
export type Promotion = z.infer<typeof Promotion>;

/** Written by the step, and later by `inferdrop promote`. */
export const promotionJson = jsonDocument({
  key: bucketLayout.promotion,
  schema: Promotion,
  write: 'replace',
  indent: 2,
});
