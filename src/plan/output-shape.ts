import type { OutputShape } from '../prediction/prediction.ts';
import type { TaskPlan } from '../tasks/task.ts';
import { isOneRecord } from '../transform/one-record.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** How the outputs of a run are read. */
export function outputShape({ labels, transform }: Pick<ScoringPlan, 'labels' | 'transform'>): OutputShape {
  const { classes, classOffset, single } = labels;
  return { scoreCount: classes.length - classOffset, oneRecord: isOneRecord(transform), single };
}

/** Settings by which the task of a run reads its answers. */
export function taskPlan(
  plan: Pick<ScoringPlan, 'labels' | 'transform' | 'report'> & { readonly objects?: number },
): TaskPlan {
  const { labels, report, objects = 0 } = plan;
  return { labels, topK: Math.max(1, ...report.topK), shape: outputShape(plan), objects };
}
