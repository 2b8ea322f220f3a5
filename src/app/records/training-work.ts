import { bucketLayout } from '../../run/bucket-layout.ts';
import { PackagedSource } from '../../training/packaged-source.ts';
import { TrainingMetrics } from '../../training/training-metrics.ts';
import { jsonDocument } from './document.ts';

/** Which archive of source code a training runs. */
export const packagedSourceJson = jsonDocument({
  key: bucketLayout.packagedSource,
  schema: PackagedSource,
  write: 'replace',
  indent: 2,
});

/** The metrics of a training and the end of its log. */
export const trainingMetricsJson = jsonDocument({
  key: bucketLayout.metrics,
  schema: TrainingMetrics,
  write: 'replace',
});
