import { dollars } from '../text/figures.ts';
import { RUNTIME_TOLERANCE } from '../transform/limit-watch.ts';
import type { TrainingJobRecord } from './training-job-record.ts';
import type { TrainingPlan } from './training-plan.ts';

/**
 * Why the running job must be stopped, or undefined. SageMaker itself stops it at training.maxRunMinutes; if it doesn't, the job is
 * stopped a fifth later.
 */
export function reasonToStopTraining(
  attempt: Pick<TrainingJobRecord, 'createdAt' | 'startedAt'>,
  spentUsd: number | null,
  { limits, spot }: TrainingPlan,
  now: Date,
): string | undefined {
  const { maxCostUsd, maxRunSeconds, maxWaitSeconds } = limits;
  if (maxCostUsd !== null && spentUsd !== null && spentUsd >= maxCostUsd)
    return `training.maxCostUsd is ${dollars(maxCostUsd)}, the training has cost ${dollars(spentUsd)}`;
  const since = (time: string): number => (now.getTime() - Date.parse(time)) / 1000;
  if (attempt.startedAt === undefined) {
    const longest = spot?.maxWaitSeconds ?? maxWaitSeconds;
    if (since(attempt.createdAt) < longest * RUNTIME_TOLERANCE) return undefined;
    return (
      `no instance came within ${Math.round(longest / 60)} minutes ` +
      `(${spot === null ? 'limits.maxRuntimeMinutes' : 'training.spot.maxWaitMinutes'})`
    );
  }
  const longest = spot?.maxWaitSeconds ?? maxRunSeconds;
  if (since(attempt.startedAt) < longest * RUNTIME_TOLERANCE) return undefined;
  return `training.maxRunMinutes is ${maxRunSeconds / 60}, the job has taken ${Math.round(since(attempt.startedAt) / 60)}`;
}
