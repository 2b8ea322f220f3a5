import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const PredictingPlan = z.object({
  model: z.object({
    sha256: z.string(),
    imageUri: z.string(),
    environment: z.record(z.string(), z.string()),
  }),
  input: z.object({ bucket: z.string() }),
  transform: z.object({ contentType: z.string(), accept: z.string() }),
});
/** The fields of a run's plan by which a function predicts. */
export type PredictingPlan = z.infer<typeof PredictingPlan>;

/** These fields. */
export const predictingPlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: PredictingPlan,
  write: 'elsewhere',
});
