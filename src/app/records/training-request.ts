import { TrainingJobConfig } from '../../pipeline/training-job-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DropParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** `job.json` of a training drop that was asked for without files of its own, as a person would write it. */
export const trainingRequestJson = jsonDocument({
  key: (drop: DropParts) => `${bucketLayout.dropFolder(drop)}job.json`,
  schema: TrainingJobConfig,
  write: 'replace',
  indent: 2,
});
