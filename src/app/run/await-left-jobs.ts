import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import { RunParts } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import type { Engines } from '../engine/engine.ts';
import { listJobRecords, writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { listTrainingJobRecords, trainingJobJson } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { useCase } from '../use-case.ts';
import { withTrainingJob } from './described-training-job.ts';

interface AwaitLeftJobsServices {
  readonly store: ObjectStore;
  readonly engines: Engines;
  readonly training: Pick<TrainingJobs, 'describe'>;
  readonly clock: () => Date;
}

/** About a quarter of an hour: a stopped training may take two minutes to end, and then uploads what it has. */
const MAX_POLLS = 30;

/**
 * State `AwaitLeftJobs`: records the jobs that a dead execution has left as their engines describe them, until they have ended. They are
 * billed to their end, and the report that follows sums up their records.
 */
export const awaitLeftJobs = useCase({
  /** Sent by state `AwaitLeftJobs` of the state machine `report-failure`; `poll` counts the checks so far. */
  input: z.object({ run: RunParts, poll: z.int().nonnegative() }),
  /** Whether jobs will be checked again; `ended` also if none was left, or if the wait was too long. */
  output: z.discriminatedUnion('status', [
    z.object({ status: z.literal('waiting'), waitSeconds: z.int().min(1), poll: z.int().min(1) }),
    z.object({ status: z.literal('ended') }),
  ]),
})(async ({ run, poll }, services: AwaitLeftJobsServices) => {
  const running = (await Array.fromAsync(LOOK_AT_JOBS[run.kind](run, services))).some(
    (status) => status === 'InProgress' || status === 'Stopping',
  );
  if (!running || poll >= MAX_POLLS) return { status: 'ended' };
  return { status: 'waiting', waitSeconds: pollWaitSeconds(poll, 0), poll: poll + 1 };
});

const LOOK_AT_JOBS: ByRunKind<typeof lookAtTrainings> = {
  inference: lookAtTransforms,
  training: lookAtTrainings,
};

async function* lookAtTrainings(
  run: RunParts,
  { store, training, clock }: AwaitLeftJobsServices,
): AsyncGenerator<string> {
  for await (const record of listTrainingJobRecords(store, run)) {
    const job = record.endedAt === undefined ? await training.describe(record.jobName) : undefined;
    if (job === undefined) continue;
    const plan = await trainingPlanJson(run).require(store);
    const seen = withTrainingJob(record, job, plan, clock());
    await trainingJobJson(run, record.attempt).write(store, seen);
    yield seen.status;
  }
}

async function* lookAtTransforms(
  run: RunParts,
  { store, engines }: AwaitLeftJobsServices,
): AsyncGenerator<string> {
  for await (const record of listJobRecords(store, run)) {
    if (record.endedAt !== undefined) continue;
    const plan = await planJson(run).require(store);
    const seen = await engines[record.engine.name].look({ run, plan, record });
    if (seen === undefined) continue;
    await writeJobRecord(store, run, seen);
    yield seen.status;
  }
}
