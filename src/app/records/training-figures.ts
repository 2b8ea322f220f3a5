import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Result of a training. Apart from the whole report, so that the function of the API does not carry its schema. */
export const trainingFigures = jsonDocument({
  key: bucketLayout.reportJson,
  schema: z.object({
    status: z.string(),
    costUsd: z.number().nullable(),
    evaluation: z.object({ verdict: z.string(), accuracy: z.number().nullable() }).nullable(),
    promotion: z.object({ promotion: z.string(), reason: z.string() }).nullable(),
    lineage: z.object({ model: z.object({ sha256: z.string() }).nullable() }),
  }),
  write: 'replace',
});
