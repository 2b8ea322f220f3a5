import type { LogLine } from '../../../aws/logs/log-events.ts';
import type { TransformJobDescription, TransformJobSpec } from '../../../aws/sagemaker/transform-job.ts';
import { takeInOrder } from '../../../concurrency/in-order.ts';
import { resolveImageUri } from '../../../frameworks/image-uri.ts';
import type { AddedFile } from '../../../model/append-to-tar.ts';
import { Condition } from '../../../problem/conditions.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { HOUR_MS } from '../../../text/milliseconds.ts';
import { writeJobInputs } from '../../records/job-inputs.ts';
import type { VerifyServices } from '../check.ts';
import { CPU_INSTANCE } from '../estimates.ts';
import { lookUntil } from '../look-until.ts';
import { roleArnOf } from '../verified-stack.ts';
import { testArchive } from './archive.ts';
import { toProbeName, VERIFY_PIPELINE } from './name.ts';

/** Everything that verifications upload for jobs of their own; nothing below `shared/` starts a run. */
export const TEST_INPUTS = bucketLayout.pipelineFolder('shared', VERIFY_PIPELINE);

/** A job that answers what reaches a container. */
export interface TestJob {
  /** Short, in lower case: part of names. */
  readonly purpose: string;
  /** Bodies by the part of the key below the manifest's prefix. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  /** One file a request, one request at a time, unless it says otherwise. */
  readonly spec: Pick<TransformJobSpec, 'contentType' | 'accept'> & Partial<TransformJobSpec>;
  /** The outputs of very many files are listed, not read: their texts are empty. */
  readonly namesOnly?: boolean;
  /** Files that are added to the model's archive. */
  readonly added?: readonly AddedFile[];
}

/** Outcome of a test job. */
export interface TestJobEnd {
  readonly name: string;
  readonly status: string;
  readonly failureReason: string | undefined;
  /** Seconds until the instance was up, and from then to the end; undefined if SageMaker does not report them. */
  readonly startSeconds: number | undefined;
  readonly workSeconds: number | undefined;
  /** Texts of the outputs by their key below the output path. */
  readonly outputs: ReadonlyMap<string, string>;
}

type Services = Pick<VerifyServices, 'stack' | 'store' | 'sagemaker' | 'id' | 'wait' | 'pollMs' | 'clock'>;

/** TensorFlow's newest container that the registries of all regions have. */
const FRAMEWORK_VERSION = '2.19.0';
const MAX_MS = 4 * HOUR_MS;
const UPLOADS_AT_ONCE = 64;

/**
 * Runs a job of the test model under the stack's own model role, and reads what it wrote.
 *
 * @throws {TestJobTooSlow} and stops the job
 */
export async function runTestJob(services: Services, job: TestJob): Promise<TestJobEnd> {
  const { store } = services;
  const { name, outputs } = await startTestJob(services, job);
  const ended = await awaitJob(services, name);
  const texts = new Map<string, string>();
  for await (const { key } of store.list(outputs))
    texts.set(key.slice(outputs.length), job.namesOnly === true ? '' : ((await store.readText(key)) ?? ''));
  return {
    name,
    status: ended.status,
    failureReason: ended.failureReason,
    startSeconds: secondsBetween(ended.createdAt, ended.startedAt),
    workSeconds: secondsBetween(ended.startedAt, ended.endedAt),
    outputs: texts,
  };
}

/** Starts a job only to see whether SageMaker takes the request, and stops it before its instance is up: an error is the refusal. */
export async function offerTestJob(services: Services, job: TestJob): Promise<void> {
  const { name } = await startTestJob(services, job);
  await services.sagemaker.stopTransformJob(name);
  await awaitJob(services, name);
}

async function startTestJob(
  services: Services,
  job: TestJob,
): Promise<{ readonly name: string; readonly outputs: string }> {
  const { store, sagemaker, stack, id } = services;
  const run: RunParts = {
    kind: 'inference',
    pipeline: VERIFY_PIPELINE,
    drop: `${id}-${job.purpose}`,
    generation: '000001',
  };
  const inputs = `${TEST_INPUTS}${id}/${job.purpose}/`;
  await uploadAll(services, inputs, job.files);
  const keys = Object.keys(job.files).map((file) => inputs + file);
  const place = { bucket: store.bucket, prefix: inputs };
  await writeJobInputs(store, bucketLayout.jobInput(run, 1), place, keys);
  const instanceType = job.spec.instanceType ?? CPU_INSTANCE;
  const name = toProbeName(stack.name, id, job.purpose);
  const outputs = bucketLayout.predictions(run);
  const kmsKeyArn = stack.description.parameters.get('KmsKeyArn') || undefined;
  await sagemaker.startTransformJob({
    name,
    modelName: await createTestModel(services, job, instanceType),
    input: { kind: 'manifest', uri: `s3://${store.bucket}/${bucketLayout.jobInput(run, 1)}` },
    outputUri: `s3://${store.bucket}/${outputs}`.replace(/\/$/, ''),
    instanceType,
    instanceCount: 1,
    batchStrategy: 'SingleRecord',
    splitType: 'None',
    assembleWith: 'None',
    maxPayloadInMB: 1,
    maxConcurrentTransforms: 1,
    invocationsTimeoutInSeconds: 60,
    invocationsMaxRetries: 1,
    environment: { INFERDROP_VERIFY: 'job' },
    tags: { 'inferdrop:verify': id },
    ...(kmsKeyArn !== undefined && { outputKmsKeyArn: kmsKeyArn }),
    ...job.spec,
  });
  return { name, outputs };
}

function secondsBetween(from: Date | undefined, to: Date | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : (to.getTime() - from.getTime()) / 1000;
}

/** Many at once: S3 takes 3,500 a second below a prefix. */
async function uploadAll(
  { store, wait }: Pick<Services, 'store' | 'wait'>,
  prefix: string,
  files: TestJob['files'],
): Promise<void> {
  const upload = async ([name, body]: [string, TestJob['files'][string]]): Promise<void> => {
    // Throws here if the verification is interrupted.
    await wait(0);
    await store.write(prefix + name, body);
  };
  await takeInOrder(Object.entries(files), UPLOADS_AT_ONCE, upload, () => undefined);
}

/** A model of the test archive for one job: other instances need another image. */
async function createTestModel(
  { store, sagemaker, stack, id }: Services,
  { purpose, added }: TestJob,
  instanceType: string,
): Promise<string> {
  const archive = `${TEST_INPUTS}${id}/${purpose}.tar.gz`;
  await store.write(archive, await testArchive(added));
  const image = resolveImageUri({
    framework: 'tensorflow',
    version: FRAMEWORK_VERSION,
    instanceType,
    region: stack.region,
  });
  if (!('imageUri' in image)) throw new Error(image.reason);
  const { parameters } = stack.description;
  const list = (parameter: string): readonly string[] =>
    (parameters.get(parameter) ?? '').split(',').filter((part) => part !== '');
  const subnets = list('VpcSubnetIds');
  const name = toProbeName(stack.name, id, purpose);
  await sagemaker.createModel({
    name,
    roleArn: roleArnOf(stack, 'ModelRole'),
    imageUri: image.imageUri,
    artifactUri: `s3://${store.bucket}/${archive}`,
    environment: { INFERDROP_VERIFY: 'model', SAGEMAKER_GUNICORN_WORKERS: '2' },
    networkIsolation: true,
    ...(subnets.length > 0 && { vpc: { subnets, securityGroups: list('VpcSecurityGroupIds') } }),
    tags: { 'inferdrop:verify': id },
  });
  return name;
}

async function awaitJob(services: Services, name: string): Promise<TransformJobDescription> {
  const { sagemaker } = services;
  const end = await lookUntil(
    async () => {
      const job = await sagemaker.describeTransformJob(name);
      return isUnderWay(job) ? undefined : job;
    },
    { ...services, maxMs: MAX_MS },
  );
  if (end !== undefined) return end;
  await sagemaker.stopTransformJob(name);
  throw new Condition(
    'TestJobTooSlow',
    `${name} has not ended within ${MAX_MS / 60_000} minutes, and was stopped`,
  );
}

/** Whether SageMaker still works on a job. */
export function isUnderWay(job: Pick<TransformJobDescription, 'status'> | undefined): boolean {
  return job !== undefined && ['InProgress', 'Stopping'].includes(job.status);
}

const LOG_MS = 60_000;
const LOG_PAUSE_MS = 5_000;

/** The log of a job. In AWS logs come late: it is read again until it is complete, or a minute is over. */
export async function readJobLog(
  { jobLogs, clock, wait, stack }: Pick<VerifyServices, 'jobLogs' | 'clock' | 'wait' | 'stack'>,
  job: string,
  isComplete: (lines: readonly LogLine[]) => boolean,
): Promise<readonly LogLine[]> {
  let lines: readonly LogLine[] = [];
  await lookUntil(
    async () => {
      lines = await Array.fromAsync(jobLogs.all(job));
      return isComplete(lines) || undefined;
    },
    { clock, wait, pollMs: LOG_PAUSE_MS, maxMs: stack.isAws ? LOG_MS : 0 },
  );
  return lines;
}
