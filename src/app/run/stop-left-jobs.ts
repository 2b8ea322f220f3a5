import type { TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { listTrainingJobRecords, trainingJobJson } from '../records/training-jobs.ts';
import { stopJudgingRuns, type StopJudgingRunsServices } from './stop-judging-runs.ts';
import {
  type IsOver,
  KNOWN_TO_BE_OVER,
  stopLeftTransforms,
  type StopTransformsServices,
  toStopReason,
} from './stop-left-transforms.ts';

interface StopLeftJobsServices extends StopTransformsServices, StopJudgingRunsServices {
  readonly training: Pick<TrainingJobs, 'describe' | 'stop'>;
}

/**
 * Stops the jobs that the ended execution of a run has left running, and for a training also the runs that judge its model; returns their
 * names. A job is known by its record, which is written before it starts. `isOver` is only called if a job is left, which is rare.
 */
export async function stopLeftJobs(
  run: RunParts,
  services: StopLeftJobsServices,
  isOver = KNOWN_TO_BE_OVER,
): Promise<string[]> {
  return STOP_LEFT[run.kind](run, services, isOver);
}

const STOP_LEFT: ByRunKind<typeof stopLeftTrainings> = {
  inference: stopLeftTransforms,
  training: async (run, services, isOver) => [
    ...(await stopLeftTrainings(run, services, isOver)),
    ...(await stopJudgingRuns(run, services, isOver)),
  ],
};

async function stopLeftTrainings(
  run: RunParts,
  { store, training, clock }: StopLeftJobsServices,
  isOver: IsOver,
): Promise<string[]> {
  const stopped: string[] = [];
  for await (const record of listTrainingJobRecords(store, run)) {
    if (record.endedAt !== undefined) continue;
    const job = await training.describe(record.jobName);
    if (job?.status !== 'InProgress' || !(await isOver())) continue;
    await training.stop(record.jobName);
    const stopReason = toStopReason(clock());
    await trainingJobJson(run, record.attempt).write(store, { ...record, status: 'Stopping', stopReason });
    stopped.push(record.jobName);
  }
  return stopped;
}
