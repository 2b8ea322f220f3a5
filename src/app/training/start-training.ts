import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import { isTypeUnknown } from '../../problem/aws-words.ts';
import { Condition } from '../../problem/conditions.ts';
import { attemptTags } from '../../run/application-tag.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { toTrainingRequest, type TrainingRequest } from '../../training/to-training-request.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { InstanceCapacity } from '../../transform/instance-capacity.ts';
import { toJobName } from '../../transform/job-name.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import { startJob, type StartRefused } from '../engine/sagemaker/start-job.ts';
import { trainingJobJson } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { packagedSourceJson } from '../records/training-work.ts';
import { type ExecutionsOf, isRunOver } from '../run/start-run.ts';
import { useCase } from '../use-case.ts';

/** `instance` is the index of the type that the job runs on; `no-quota` is tried again after `waitSeconds`. */
const Output = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('started'),
    attempt: z.int().min(1),
    jobName: z.string(),
    instance: z.int().nonnegative(),
  }),
  z.object({ status: z.literal('no-quota'), waitSeconds: z.int().min(1), poll: z.int().min(1) }),
]);

interface StartTrainingServices {
  readonly store: ObjectStore;
  readonly training: TrainingJobs;
  readonly sagemaker: Pick<SageMaker, 'tagsOf'>;
  readonly executions: ExecutionsOf<'arnOf' | 'describe'>;
  readonly clock: () => Date;
}

/**
 * State `StartTraining`: starts the job of an attempt, on the next instance type if a quota is used up or the region lacks the
 * type; if all quotas are in use, it says how long to wait. Repeating it finds the job that the first call started; if its
 * execution ended meanwhile, the job is stopped at once.
 *
 * @throws {TransformThrottled} if SageMaker starts too many jobs at once
 * @throws {ResourceLimitExceeded} if no instance came free within limits.maxRuntimeMinutes
 * @throws {InstanceCapacity} if waiting cannot help
 * @throws {JobNameTaken}
 * @throws {TrainingRefused} with SageMaker's complaint about the request
 */
export const startTraining = useCase({
  /** Sent by state `StartTraining`: for the first attempt, after a wait for a quota, and for the next instance type. */
  input: z.object({
    run: RunParts,
    attempt: z.int().min(1),
    /** Index into the plan's instance types. */
    instance: z.int().nonnegative(),
    /** How often the step has waited for a quota in use. */
    poll: z.int().nonnegative(),
  }),
  output: Output,
})(async ({ run, attempt, instance: from, poll }, services: StartTrainingServices) => {
  const { store, training, sagemaker, executions, clock } = services;
  const [plan, source] = await Promise.all([
    trainingPlanJson(run).require(store),
    packagedSourceJson(run).require(store),
  ]);
  const record = await plannedRecord(run, plan, { attempt, from }, services);
  const { types } = plan.instances;
  const own = attemptTags(plan, attempt, store.bucket);
  const started = await startJob({
    kind: 'training',
    name: record.jobName,
    tags: own,
    types,
    from,
    create: (instanceType) =>
      create(
        toTrainingRequest(plan, {
          jobName: record.jobName,
          instanceType,
          sourceUri: `s3://${store.bucket}/${bucketLayout.source(source.sha256)}`,
          outputUri: `s3://${store.bucket}/${bucketLayout.trainingOutput(run, plan.id)}`,
          tags: { ...plan.tags, ...own },
        }),
        training,
      ),
    describe: training.describe,
    tagsOf: sagemaker.tagsOf,
  });
  if ('refusals' in started) return waitFor(started, plan, poll, clock());
  const { job, instanceType, instance } = started;
  const used: TrainingJobRecord = {
    ...record,
    instanceType,
    status: job?.status === undefined || job.status === 'Deleting' ? 'InProgress' : job.status,
    ...(job !== undefined && { createdAt: job.createdAt.toISOString() }),
  };
  await trainingJobJson(run, attempt).write(store, used);
  // If the execution ended before CreateTrainingJob, the clean-up after it saw no job.
  if (await isRunOver(executions, run)) {
    const stopReason = `its execution ended before the job began`;
    await trainingJobJson(run, attempt).write(store, { ...used, status: 'Stopping', stopReason });
    await training.stop(record.jobName);
  }
  return { status: 'started', attempt, jobName: record.jobName, instance };
});

function waitFor(
  { refusals, passes }: StartRefused,
  plan: TrainingPlan,
  poll: number,
  now: Date,
): z.infer<typeof Output> {
  if (!passes) throw new InstanceCapacity(plan.instances.types, refusals, 'training.instances.types');
  const waitedSeconds = (now.getTime() - Date.parse(plan.createdAt)) / 1000;
  const { maxWaitSeconds } = plan.limits;
  if (waitedSeconds >= maxWaitSeconds) {
    const waited = `limits.maxRuntimeMinutes is ${maxWaitSeconds / 60}, and no instance came free within it`;
    throw new Condition('ResourceLimitExceeded', `${waited}: ${refusals.join('; ')}`);
  }
  return { status: 'no-quota', waitSeconds: pollWaitSeconds(poll, waitedSeconds), poll: poll + 1 };
}

/** The record of the attempt, written before the call to SageMaker, so that it can find a job without an execution. */
async function plannedRecord(
  run: RunParts,
  plan: TrainingPlan,
  { attempt, from }: { readonly attempt: number; readonly from: number },
  { store, clock }: StartTrainingServices,
): Promise<TrainingJobRecord> {
  const document = trainingJobJson(run, attempt);
  const found = await document.read(store);
  if (found !== undefined) return found;
  const record: TrainingJobRecord = {
    schema: 1,
    kind: 'training',
    run: plan.run,
    attempt,
    jobName: toJobName({ bucket: store.bucket, run: plan.run, plannedAt: plan.createdAt, attempt }),
    instanceType: plan.instances.types[from] ?? '',
    instanceCount: plan.instances.count,
    status: 'Planned',
    createdAt: clock().toISOString(),
    costUsd: null,
    phases: [],
  };
  await document.write(store, record);
  return record;
}

async function create(request: TrainingRequest, training: TrainingJobs): Promise<void> {
  try {
    await training.start(request);
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationException' && !isTypeUnknown(error.message))
      throw new Condition('TrainingRefused', error.message, { cause: error });
    throw error;
  }
}
