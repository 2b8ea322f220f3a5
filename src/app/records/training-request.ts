import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/**
 * `job.json` of a training without files of its own: the fields of `TrainingJobConfig` that a request sets. The whole
 * schema would add all settings to the API's bundle.
 */
const TrainingRequest = z.object({
  input: z.object({ s3Prefix: z.string() }).optional(),
  hyperparameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/** Written by `inferdrop train` and the API; settle-drop and plan-training read it as a person's job.json. */
export const trainingRequestJson = jsonDocument({
  key: bucketLayout.dropJob,
  schema: TrainingRequest,
  write: 'replace',
  indent: 2,
});
