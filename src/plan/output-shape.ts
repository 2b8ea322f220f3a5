import type { OutputShape } from '../prediction/prediction.ts';
import { isOneRecord } from '../transform/one-record.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** How the outputs of a run are read. */
export function outputShape({ labels, transform }: Pick<ScoringPlan, 'labels' | 'transform'>): OutputShape {
  const { classes, classOffset, single } = labels;
  return { scoreCount: classes.length - classOffset, oneRecord: isOneRecord(transform), single };
}
