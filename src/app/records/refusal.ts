import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Why functions can't run a model. Only PrepareModel finds that out and writes it, so that PlanRun takes another engine if it may. */
export const refusalJson = jsonDocument({
  key: bucketLayout.refusal,
  schema: z.object({
    schema: z.literal(1),
    /** `createdAt` of the plan that asked for functions. */
    plannedAt: z.iso.datetime(),
    /** Digest of the archive. */
    sha256: z.string(),
    artifact: z.string(),
    reason: z.string(),
  }),
  write: 'replace',
});
