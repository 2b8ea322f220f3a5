import type { OutputShape } from '../../prediction/prediction.ts';
import type { ScoringPlan } from './run-plan.ts';

/** An object is one record where SageMaker does not split it and its type has no records of its own. */
export function outputShape({ labels, transform }: Pick<ScoringPlan, 'labels' | 'transform'>): OutputShape {
  const whole =
    transform.splitType === 'None' && !/json|csv|text|tfrecord|recordio|parquet/i.test(transform.contentType);
  const { classes, classOffset, single } = labels;
  return { scoreCount: classes.length - classOffset, oneRecord: whole, single };
}
