import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DropParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/**
 * `job.json` of a training drop that was asked for without files of its own: what of `TrainingJobConfig` a request sets. The whole
 * schema would bring all settings into the functions of the API.
 */
const TrainingRequest = z.object({
  input: z.object({ s3Prefix: z.string() }).optional(),
  hyperparameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

export const trainingRequestJson = jsonDocument({
  key: (drop: DropParts) => `${bucketLayout.dropFolder(drop)}job.json`,
  schema: TrainingRequest,
  write: 'replace',
  indent: 2,
});
