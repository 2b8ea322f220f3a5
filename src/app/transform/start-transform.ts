import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { Tags } from '../../aws/sagemaker-request.ts';
import type { TransformJobDescription, TransformJobSpec } from '../../aws/transform-job.ts';
import { hasLocalDisks, instanceFamily } from '../../model/instance-type.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { APPLICATION_TAG } from '../../run/application-tag.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { toTagValue } from '../../text/tag-value.ts';
import { InstanceCapacity, isQuotaTooSmall, isTypeUnknown } from '../../transform/instance-capacity.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToEnd } from '../../transform/limit-watch.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import { jobJson, writeJobRecord } from '../records/job.ts';
import { planJson } from '../records/plan.ts';
import { type ExecutionsOf, isRunOver } from '../run/start-run.ts';
import { stopLeftTransforms } from '../run/stop-left-jobs.ts';
import { hasWorked, readAttempts, toSpending } from './read-spending.ts';

export const StartTransformInput = z.object({
  run: RunParts,
  attempt: z.int().min(1),
  instance: z.int().nonnegative(),
  /** How often a quota in use has been waited for; executions of the release before cannot wait and have none. */
  poll: z.int().nonnegative().optional(),
});
export const StartTransformOutput = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('started'),
    attempt: z.int().min(1),
    jobName: z.string(),
    /** Index into the plan's instance types. */
    instance: z.int().nonnegative(),
  }),
  z.object({ status: z.literal('no-quota'), waitSeconds: z.int().min(1), poll: z.int().min(1) }),
  /** No instance came free within the run's time, or none can be had any more; what the attempt before this one has left is scored. */
  z.object({
    status: z.literal('out-of-time'),
    attempt: z.int().min(1),
    jobName: z.string(),
    jobStatus: z.enum(['Completed', 'Failed', 'Stopped']),
  }),
]);

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
export async function startTransform(
  { run, ...input }: z.infer<typeof StartTransformInput>,
  { store, sagemaker, executions, clock }: StartTransformServices,
): Promise<z.infer<typeof StartTransformOutput>> {
  const [plan, record] = await Promise.all([
    planJson(run).require(store),
    jobJson(run, input.attempt).require(store),
  ]);
  const tags = toTags(run, plan, record, store.bucket);
  const { instanceTypes } = plan.transform;
  const refusals: { readonly text: string; readonly passes: boolean }[] = [];
  for (const [instance, instanceType] of instanceTypes.entries()) {
    if (instance < input.instance) continue;
    const spec = toSpec(run, plan, record, { bucket: store.bucket, instanceType, tags });
    const started = await start(sagemaker, spec);
    if ('refusal' in started) {
      refusals.push({ text: `${instanceType}: ${started.refusal}`, passes: started.passes });
      continue;
    }
    const { job } = started;
    const used = instanceTypes.indexOf(job?.instanceType ?? instanceType);
    await writeJobRecord(store, run, {
      ...record,
      instanceType: job?.instanceType ?? instanceType,
      status: job?.status ?? 'InProgress',
      ...(job !== undefined && { createdAt: job.createdAt.toISOString() }),
    });
    // If the execution ended before CreateTransformJob, clean-up-run saw no job; stop it here.
    if (await isRunOver(executions, run)) await stopLeftTransforms(run, { store, sagemaker, clock });
    return {
      status: 'started',
      attempt: input.attempt,
      jobName: record.jobName,
      instance: used === -1 ? instance : used,
    };
  }
  const texts = refusals.map(({ text }) => text);
  const before = await readAttempts(store, run, input.attempt - 1);
  const last = before.at(-1);
  if (!refusals.some(({ passes }) => passes)) {
    const none = new InstanceCapacity(instanceTypes, texts);
    if (last === undefined || !hasWorked(before)) throw none;
    await writeJobRecord(store, run, { ...last, stopReason: none.message });
    return toEnded(last);
  }
  if (input.poll === undefined) throw new Condition('ResourceLimitExceeded', texts.join('; '));
  const reason = reasonToEnd(toSpending(before, plan, clock()));
  if (reason === undefined) {
    const runSeconds = (clock().getTime() - Date.parse(plan.createdAt)) / 1000;
    return {
      status: 'no-quota',
      waitSeconds: pollWaitSeconds(input.poll, runSeconds),
      poll: input.poll + 1,
    };
  }
  if (last === undefined)
    throw new Condition('ResourceLimitExceeded', `${reason} without an instance: ${texts.join('; ')}`);
  return toEnded(last);
}

/** What the attempts up to this one have left is scored. */
function toEnded({ attempt, jobName, status }: JobRecord): z.infer<typeof StartTransformOutput> {
  const jobStatus = status === 'Completed' || status === 'Failed' ? status : 'Stopped';
  return { status: 'out-of-time', attempt, jobName, jobStatus };
}

type Started =
  | { readonly job: TransformJobDescription | undefined }
  /** `passes` where waiting can help. */
  | { readonly refusal: string; readonly passes: boolean };

async function start(
  sagemaker: StartTransformServices['sagemaker'],
  spec: TransformJobSpec,
): Promise<Started> {
  try {
    await sagemaker.startTransformJob(spec);
    return { job: await sagemaker.describeTransformJob(spec.name) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    switch (error.name) {
      case 'ResourceInUse':
        return { job: await adopt(sagemaker, spec) };
      case 'ResourceLimitExceeded':
        return { refusal: error.message, passes: !isQuotaTooSmall(error.message) };
      case 'ValidationException':
        if (!isTypeUnknown(error.message)) throw error;
        return { refusal: 'SageMaker has no such type in this region', passes: false };
      case 'Throttled':
        throw new Condition('TransformThrottled', error.message, { cause: error });
      default:
        throw error;
    }
  }
}

/**
 * Our names are derived from run and attempt, so that a job of this name is ours: its tags must say so. The release before gave its
 * jobs no tag of the application.
 */
async function adopt(
  sagemaker: StartTransformServices['sagemaker'],
  { name, tags = {} }: TransformJobSpec,
): Promise<TransformJobDescription> {
  const job = await sagemaker.describeTransformJob(name);
  const found = job === undefined ? {} : await sagemaker.tagsOf(job.arn);
  const given: Readonly<Record<string, string | undefined>> = {
    [APPLICATION_TAG]: tags[APPLICATION_TAG],
    ...found,
  };
  if (job !== undefined && Object.entries(tags).every(([key, value]) => given[key] === value)) return job;
  throw new Condition(
    'JobNameTaken',
    `transform job ${name} exists already and its tags are not this run's: run it again with inferdrop rerun`,
  );
}

function toTags({ pipeline }: RunParts, plan: Plan, { attempt }: JobRecord, bucket: string): Tags {
  return {
    [APPLICATION_TAG]: bucket,
    'inferdrop:run': toTagValue(plan.run),
    'inferdrop:pipeline': toTagValue(pipeline),
    'inferdrop:attempt': String(attempt),
    'inferdrop:planned-at': toTagValue(plan.createdAt),
  };
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
  const family = instanceFamily(instanceType) ?? '';
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
    ...(kmsKeyArn !== null && !hasLocalDisks(family) && { volumeKmsKeyArn: kmsKeyArn }),
  };
}
