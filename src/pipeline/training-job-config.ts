import * as z from 'zod';
import { JobConfig } from './job-config.ts';

/**
 * `job.json` in a drop below training/: the settings that uploaders of training data may override. Source, image, instances, limits and the
 * steps after the training are set in pipeline.json.
 */
export const TrainingJobConfig = JobConfig.pick({ $schema: true, input: true, drop: true }).extend({
  hyperparameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe(
      'Arguments of the script that replace those with the same name in pipeline.json, or are added to them.',
    ),
});
export type TrainingJobConfig = z.infer<typeof TrainingJobConfig>;
