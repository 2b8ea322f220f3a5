import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import { isAlive } from '../../run/execution-status.ts';
import { parseRunId, type RunParts, toRunId } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { frozenJson } from '../records/drop.ts';
import { evaluationJson } from '../records/training.ts';
import { listTrainingJobRecords, trainingJobJson } from '../records/training-jobs.ts';
import { executionArnOf, type ExecutionsOf } from './start-run.ts';
import {
  type IsOver,
  KNOWN_TO_BE_OVER,
  stopLeftTransforms,
  type StopTransformsServices,
  toStopReason,
} from './stop-left-transforms.ts';

/** Services that stop judging runs, which are executions of `batch-inference`. */
interface StopJudgingRunsServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'stop'>;
}

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

/**
 * Stops the runs that a training which is over has started to judge its model, and gives their names. The event of their end cleans up
 * after them, as after any run.
 */
export async function stopJudgingRuns(
  training: RunParts,
  { store, executions }: StopJudgingRunsServices,
  isOver: () => Promise<boolean>,
): Promise<string[]> {
  const { incumbentRun = null, candidateRun = null } = (await evaluationJson(training).read(store)) ?? {};
  const stopped: string[] = [];
  for (const asked of [incumbentRun, candidateRun]) {
    const run = asked?.isOwn === true ? parseRunId(asked.run) : undefined;
    // A rerun of a person may have taken the claimed name first.
    if (run === undefined || !(await isFor(store, run, training))) continue;
    const executionArn = executionArnOf(executions, run);
    const execution = await executions(run.kind).describe(executionArn);
    if (!isAlive(execution) || !(await isOver())) continue;
    const cause = `${toRunId(training)}, the training of the model that it judged, is over.`;
    await executions(run.kind).stop(executionArn, { error: 'Canceled', cause });
    stopped.push(toRunId(run));
  }
  return stopped;
}

async function isFor(store: ObjectStore, run: RunParts, training: RunParts): Promise<boolean> {
  const frozen = await frozenJson(run).read(store);
  return frozen?.candidate?.training === toRunId(training);
}
