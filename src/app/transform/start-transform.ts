import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { Tags } from '../../aws/sagemaker-request.ts';
import type { TransformJobSpec } from '../../aws/transform-job.ts';
import { familyOf } from '../../model/instance-families.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { attemptTags } from '../../run/application-tag.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { InstanceCapacity } from '../../transform/instance-capacity.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToEnd } from '../../transform/limit-watch.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import { jobJson, writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { startJob, type StartRefused } from '../run/start-job.ts';
import { type ExecutionsOf, isRunOver } from '../run/start-run.ts';
import { stopLeftTransforms } from '../run/stop-left-jobs.ts';
import { useCase } from '../use-case.ts';
import { hasWorked, readAttempts, toSpending } from './read-spending.ts';

/** Sent by state `StartTransform`: for each attempt, and after each wait for hardware; `poll` is how often it was waited for. */
const Input = z.object({ run: RunParts, attempt: z.int().min(1), poll: z.int().nonnegative() });
/**
 * Whether the job runs:
 *
 * - `started`: the job runs; its name is for people, since its record has it
 * - `waiting`: all hardware is in use; the same call again after `waitSeconds`, until the run's time is up
 * - `ended`: none came free within the run's time; the outputs up to the earlier `attempt` are scored
 */
const Output = z.discriminatedUnion('status', [
  z.object({ status: z.literal('started'), jobName: z.string() }),
  z.object({ status: z.literal('waiting'), waitSeconds: z.int().min(1), poll: z.int().min(1) }),
  z.object({ status: z.literal('ended'), attempt: z.int().min(1) }),
]);

/** What starting takes; `executions` tells whether the run's own has ended meanwhile. */
export interface StartTransformServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<
    SageMaker,
    'startTransformJob' | 'describeTransformJob' | 'stopTransformJob' | 'tagsOf'
  >;
  readonly executions: ExecutionsOf<'arnOf' | 'describe'>;
  readonly clock: () => Date;
}

/**
 * State `StartTransform`: starts the job of an attempt, on the next instance type where a quota is used up or the region lacks
 * the type; where all quotas are in use it says how long to wait.
 * Repeating it finds the job that the first call started; a job whose execution ended meanwhile is stopped at once.
 *
 * @throws {TransformThrottled}
 * @throws {ResourceLimitExceeded} where no instance came free for the run's first job within limits.maxRuntimeMinutes
 * @throws {InstanceCapacity} where waiting cannot help, since every quota is too small or the region lacks the type, and no job has run
 * @throws {JobNameTaken}
 */
export const startTransform = useCase({
  input: Input,
  output: Output,
})(async (input, { store, sagemaker, executions, clock }: StartTransformServices) => {
  const { run, attempt } = input;
  const [plan, record] = await Promise.all([
    planJson(run).require(store),
    jobJson(run, attempt).require(store),
  ]);
  const { instanceTypes } = plan.transform;
  const tags = attemptTags(plan, attempt, store.bucket);
  const started = await startJob({
    kind: 'transform',
    name: record.jobName,
    tags,
    types: instanceTypes,
    from: Math.max(0, instanceTypes.indexOf(record.instanceType)),
    create: (instanceType) =>
      sagemaker.startTransformJob(toSpec(run, plan, record, { bucket: store.bucket, instanceType, tags })),
    describe: sagemaker.describeTransformJob,
    tagsOf: sagemaker.tagsOf,
  });
  if ('refusals' in started) return waitOrEnd(started, input, { plan, store, now: clock() });
  const { job, instanceType } = started;
  await writeJobRecord(store, run, {
    ...record,
    instanceType,
    status: job?.status ?? 'InProgress',
    ...(job !== undefined && { createdAt: job.createdAt.toISOString() }),
  });
  // If the execution ended before CreateTransformJob, clean-up-run saw no job; stop it here.
  if (await isRunOver(executions, run)) await stopLeftTransforms(run, { store, sagemaker, clock });
  return { status: 'started', jobName: record.jobName };
});

async function waitOrEnd(
  { refusals, passes }: StartRefused,
  { run, attempt, poll }: z.infer<typeof Input>,
  { plan, store, now }: { readonly plan: Plan; readonly store: ObjectStore; readonly now: Date },
): Promise<z.infer<typeof Output>> {
  const before = await readAttempts(store, run, attempt - 1);
  const last = before.at(-1);
  if (!passes) {
    const none = new InstanceCapacity(plan.transform.instanceTypes, refusals);
    if (last === undefined || !hasWorked(before)) throw none;
    await writeJobRecord(store, run, { ...last, stopReason: none.message });
    return { status: 'ended', attempt: last.attempt };
  }
  const reason = reasonToEnd(toSpending(before, plan, now));
  if (reason === undefined) {
    const runSeconds = (now.getTime() - Date.parse(plan.createdAt)) / 1000;
    return { status: 'waiting', waitSeconds: pollWaitSeconds(poll, runSeconds), poll: poll + 1 };
  }
  if (last === undefined)
    throw new Condition('ResourceLimitExceeded', `${reason} without an instance: ${refusals.join('; ')}`);
  return { status: 'ended', attempt: last.attempt };
}

function toSpec(
  run: RunParts,
  { model, transform }: Plan,
  record: JobRecord,
  {
    bucket,
    instanceType,
    tags,
  }: { readonly bucket: string; readonly instanceType: string; readonly tags: Tags },
): TransformJobSpec {
  const { kmsKeyArn, dataProcessing } = transform;
  return {
    name: record.jobName,
    modelName: model.name,
    input: { kind: 'manifest', uri: `s3://${bucket}/${record.input}` },
    contentType: transform.contentType,
    splitType: transform.splitType,
    // Observed jobs name a path without a slash at the end; with one, keys of outputs might have two.
    outputUri: `s3://${bucket}/${bucketLayout.predictions(run)}`.replace(/\/$/, ''),
    accept: transform.accept,
    assembleWith: transform.assembleWith,
    ...(dataProcessing !== null && {
      dataProcessing: { inputFilter: dataProcessing.inputFilter, joinSource: dataProcessing.joinSource },
    }),
    instanceType,
    instanceCount: transform.instanceCount,
    ...(transform.amiVersion !== null && { amiVersion: transform.amiVersion }),
    maxConcurrentTransforms: record.maxConcurrentTransforms,
    maxPayloadInMB: record.maxPayloadInMB,
    batchStrategy: transform.batchStrategy,
    invocationsTimeoutInSeconds: transform.invocationsTimeoutInSeconds,
    invocationsMaxRetries: transform.invocationsMaxRetries,
    environment: transform.environment,
    tags,
    ...(kmsKeyArn !== null && { outputKmsKeyArn: kmsKeyArn }),
    // SageMaker refuses a key for machines that have disks of their own.
    ...(kmsKeyArn !== null && !familyOf(instanceType).disks && { volumeKmsKeyArn: kmsKeyArn }),
  };
}
