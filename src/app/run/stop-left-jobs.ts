import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import type { Engines } from '../engine/engine.ts';
import { listJobRecords, writeJobRecord } from '../records/jobs.ts';
import { listTrainingJobRecords, trainingJobJson } from '../records/training-jobs.ts';
import { stopJudgingRuns, type StopJudgingRunsServices } from './stop-judging-runs.ts';

interface StopServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

interface StopTransformsServices extends StopServices {
  readonly engines: Engines;
}

interface StopLeftJobsServices extends StopTransformsServices, StopJudgingRunsServices {
  readonly training: Pick<TrainingJobs, 'describe' | 'stop'>;
}

type IsOver = () => Promise<boolean>;

const KNOWN_TO_BE_OVER: IsOver = () => Promise.resolve(true);

/**
 * Stops the jobs that the ended execution of a run has left running, and for a training also the runs that judge its model; returns their
 * names. A job is known by its record, which is written before it starts. `isOver` is asked only if a job is left, which is rare.
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

/** The same for a run whose jobs are transform jobs. */
export async function stopLeftTransforms(
  run: RunParts,
  { store, engines, clock }: StopTransformsServices,
  isOver = KNOWN_TO_BE_OVER,
): Promise<string[]> {
  const stopped: string[] = [];
  for await (const record of listJobRecords(store, run)) {
    if (record.endedAt !== undefined) continue;
    const engine = engines[record.engine.name];
    if (!(await engine.isRunning(record)) || !(await isOver())) continue;
    await engine.stop(record);
    await writeJobRecord(store, run, { ...record, status: 'Stopping', stopReason: toReason(clock()) });
    stopped.push(record.jobName);
  }
  return stopped;
}

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
    const stopReason = toReason(clock());
    await trainingJobJson(run, record.attempt).write(store, { ...record, status: 'Stopping', stopReason });
    stopped.push(record.jobName);
  }
  return stopped;
}

function toReason(at: Date): string {
  return `its execution ended at ${at.toISOString()}`;
}
