import { bucketLayout } from '../../run/bucket-layout.ts';
import { TrainingMetrics } from '../../training/training-metrics.ts';
import { jsonDocument } from './document.ts';

/** The metrics of a training and the end of its log. */
export const trainingMetricsJson = jsonDocument({
  key: bucketLayout.metrics,
  schema: TrainingMetrics,
  write: 'replace',
});
