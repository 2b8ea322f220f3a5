import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { TrainingJobDescription, TrainingJobs } from '../../aws/training-jobs.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { toJobTags } from '../../training/job-tags.ts';
import { toTrainingRequest, type TrainingRequest } from '../../training/to-training-request.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { InstanceCapacity, isQuotaTooSmall, isTypeUnknown } from '../../transform/instance-capacity.ts';
import { toJobName } from '../../transform/job-name.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import { packagedSourceJson } from '../records/packaged-source.ts';
import { trainingJobJson } from '../records/training-job.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { type ExecutionsOf, isRunOver } from '../run/start-run.ts';

export const StartTrainingInput = z.object({
  run: RunParts,
  attempt: z.int().min(1),
  /** Index into the plan's instance types. */
  instance: z.int().nonnegative(),
  /** How often a quota in use has been waited for. */
  poll: z.int().nonnegative(),
});
export const StartTrainingOutput = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('started'),
    attempt: z.int().min(1),
    jobName: z.string(),
    instance: z.int().nonnegative(),
  }),
  z.object({ status: z.literal('no-quota'), waitSeconds: z.int().min(1), poll: z.int().min(1) }),
]);

export interface StartTrainingServices {
  readonly store: ObjectStore;
  readonly training: TrainingJobs;
  readonly sagemaker: Pick<SageMaker, 'tagsOf'>;
  readonly executions: ExecutionsOf<'arnOf' | 'describe'>;
  readonly clock: () => Date;
}

/**
 * State `StartTraining`: starts the job of an attempt, on the next instance type where a quota is used up or the region lacks the type;
 * where all quotas are in use it says how long to wait. Repeating it finds the job that the first call started; a job whose execution
 * ended meanwhile is stopped at once.
 *
 * @throws {TransformThrottled} where SageMaker starts too many jobs at once
 * @throws {ResourceLimitExceeded} where no instance came free within limits.maxRuntimeMinutes
 * @throws {InstanceCapacity} where waiting cannot help
 * @throws {JobNameTaken}
 * @throws {TrainingRefused} with what SageMaker says is wrong with the request
 */
export async function startTraining(
  { run, attempt, instance: from, poll }: z.infer<typeof StartTrainingInput>,
  services: StartTrainingServices,
): Promise<z.infer<typeof StartTrainingOutput>> {
  const { store, training, executions, clock } = services;
  const [plan, source] = await Promise.all([
    trainingPlanJson(run).require(store),
    packagedSourceJson(run).require(store),
  ]);
  const record = await plannedRecord(run, plan, { attempt, from }, services);
  const { types } = plan.instances;
  const refusals: { readonly text: string; readonly passes: boolean }[] = [];
  for (const [instance, instanceType] of types.entries()) {
    if (instance < from) continue;
    const request = toTrainingRequest(plan, {
      jobName: record.jobName,
      instanceType,
      sourceUri: `s3://${store.bucket}/${bucketLayout.source(source.sha256)}`,
      outputUri: `s3://${store.bucket}/${bucketLayout.trainingOutput(run)}`,
      tags: toJobTags(plan, attempt, store.bucket),
    });
    const started = await start(request, services);
    if ('refusal' in started) {
      refusals.push({ text: `${instanceType}: ${started.refusal}`, passes: started.passes });
      continue;
    }
    const { job } = started;
    const used: TrainingJobRecord = {
      ...record,
      instanceType: job?.instanceType ?? instanceType,
      status: job?.status === undefined || job.status === 'Deleting' ? 'InProgress' : job.status,
      ...(job !== undefined && { createdAt: job.createdAt.toISOString() }),
    };
    await trainingJobJson(run, attempt).write(store, used);
    // If the execution ended before CreateTrainingJob, what cleans up after it saw no job.
    if (await isRunOver(executions, run)) {
      const stopReason = `its execution ended before the job began`;
      await trainingJobJson(run, attempt).write(store, { ...used, status: 'Stopping', stopReason });
      await training.stop(record.jobName);
    }
    const at = types.indexOf(used.instanceType);
    return { status: 'started', attempt, jobName: record.jobName, instance: at === -1 ? instance : at };
  }
  const texts = refusals.map(({ text }) => text);
  if (!refusals.some(({ passes }) => passes))
    throw new InstanceCapacity(types, texts, 'training.instances.types');
  const waitedSeconds = (clock().getTime() - Date.parse(plan.createdAt)) / 1000;
  const { maxWaitSeconds } = plan.limits;
  if (waitedSeconds >= maxWaitSeconds) {
    const waited = `limits.maxRuntimeMinutes is ${maxWaitSeconds / 60}, and no instance came free within it`;
    throw new Condition('ResourceLimitExceeded', `${waited}: ${texts.join('; ')}`);
  }
  return { status: 'no-quota', waitSeconds: pollWaitSeconds(poll, waitedSeconds), poll: poll + 1 };
}

/** The record of the attempt, written before SageMaker is asked, so that a job without an execution is found by it. */
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

type Started =
  | { readonly job: TrainingJobDescription | undefined }
  /** `passes` where waiting can help. */
  | { readonly refusal: string; readonly passes: boolean };

async function start(request: TrainingRequest, services: StartTrainingServices): Promise<Started> {
  const { training } = services;
  try {
    await training.start(request);
    return { job: await training.describe(request.TrainingJobName) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    switch (error.name) {
      case 'ResourceInUse':
        return { job: await adopt(request, services) };
      case 'ResourceLimitExceeded':
        return { refusal: error.message, passes: !isQuotaTooSmall(error.message) };
      case 'ValidationException':
        if (!isTypeUnknown(error.message))
          throw new Condition('TrainingRefused', error.message, { cause: error });
        return { refusal: 'SageMaker has no such type in this region', passes: false };
      case 'Throttled':
        throw new Condition('TransformThrottled', error.message, { cause: error });
      default:
        throw error;
    }
  }
}

/** Our names are derived from run and attempt, so that a job of this name is ours: its tags must say so. */
async function adopt(
  { TrainingJobName: name, Tags = [] }: TrainingRequest,
  { training, sagemaker }: StartTrainingServices,
): Promise<TrainingJobDescription> {
  const job = await training.describe(name);
  const found = job === undefined ? {} : await sagemaker.tagsOf(job.arn);
  if (job !== undefined && Tags.every(({ Key, Value }) => found[Key] === Value)) return job;
  throw new Condition(
    'JobNameTaken',
    `training job ${name} exists already and its tags are not this run's: run it again with inferdrop rerun`,
  );
}
