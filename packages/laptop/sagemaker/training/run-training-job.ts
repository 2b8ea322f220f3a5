import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { boundLog } from '@inferdrop/model-container/bounded-log';
import {
  type HostFolders,
  type TrainingEnd,
  TrainingRefused,
} from '@inferdrop/training-container/training-request';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWriter, MetricWriter, ObjectAccess } from '../../kernel/ports.ts';
import { FAILURE, JobFailure } from '../jobs/job-failure.ts';
import { inputModeOf, type PipeSources, toHostsRequest } from './hosts-request.ts';
import { downloadChannel, restoreCheckpoints } from './input-channels.ts';
import { createMetricReader } from './metric-definitions.ts';
import { openPipeChannel } from './pipe-channel.ts';
import { type TrainingProgress, TrainingStopped } from './running-trainings.ts';
import type { TrainingFault } from './training-faults.ts';
import type { HostsRequest, TrainingHosts } from './training-hosts.ts';
import { parseTrainingImage } from './training-image.ts';
import { maxRuntimeSeconds, RECORDED, type TrainingJobRecord } from './training-job-record.ts';
import { runtimeRemark } from './training-runtime.ts';
import { unpackSource } from './training-source.ts';
import { uploadOutputs } from './upload-outputs.ts';

/** What every training job runs with. */
export interface TrainingRunner {
  readonly hosts: TrainingHosts;
  /** As the job's role. */
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  readonly metrics: MetricWriter;
  readonly clock: Clock;
  readonly region: string;
  /** Credentials of the job's role, and the address of the stack. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the hosts' folders lie while the job runs. */
  readonly workDir: string;
}

/** Log group and metric namespace of the service. */
const TRAINING_JOBS = '/aws/sagemaker/TrainingJobs';

/**
 * Does the whole work of one job: download, train, upload.
 *
 * @throws {JobFailure} with the reason that the job shows
 */
export async function runTrainingJob(
  runner: TrainingRunner,
  job: TrainingJobRecord,
  fault: TrainingFault | undefined,
  progress: TrainingProgress,
): Promise<void> {
  if (fault === 'capacity') throw new JobFailure(FAILURE.capacity);
  if (fault === 'internal') throw new JobFailure(FAILURE.internal);
  await mkdir(runner.workDir, { recursive: true });
  const root = await mkdtemp(join(runner.workDir, 'training-'));
  try {
    const request = toHostsRequest(job, root, await openPipes(runner, job), runner);
    const hosts = await runner.hosts.prepare(request);
    await download(runner, job, hosts, progress);
    const { end, note } = await train(runner, job, request, hosts, progress);
    const { stop } = progress;
    if (stop.aborted && !(stop.reason instanceof TrainingStopped)) return;
    // A job that StopTrainingJob ends does not show this step.
    if (!(stop.reason instanceof TrainingStopped && stop.reason.end === 'Stopped'))
      progress.enter('Uploading');
    await uploadAll(runner, job, hosts, end, note);
  } catch (error) {
    if (!(error instanceof TrainingRefused)) throw error;
    throw new JobFailure(`AlgorithmError: ${error.message}`);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function openPipes({ objects }: TrainingRunner, { input }: TrainingJobRecord): Promise<PipeSources> {
  const sources = new Map<string, Awaited<ReturnType<typeof openPipeChannel>>>();
  for (const channel of input.InputDataConfig ?? [])
    if (inputModeOf(channel, input) === 'Pipe')
      sources.set(
        channel.ChannelName,
        await openPipeChannel(objects, channel, input.ResourceConfig.InstanceCount ?? 1),
      );
  return sources;
}

async function download(
  { objects }: TrainingRunner,
  { input }: TrainingJobRecord,
  hosts: readonly HostFolders[],
  { stop, enter }: TrainingProgress,
): Promise<void> {
  const channels = (input.InputDataConfig ?? []).filter((channel) => inputModeOf(channel, input) !== 'Pipe');
  if (channels.length > 0) enter('Downloading');
  for (const channel of channels) await downloadChannel(objects, channel, hosts, stop);
  if (input.CheckpointConfig) await restoreCheckpoints(objects, input.CheckpointConfig.S3Uri, hosts, stop);
  await unpackSource(objects, input, hosts);
  stop.throwIfAborted();
}

/** Writes the service's own remarks of the job into its log. */
type Note = (text: string) => void;

async function train(
  { hosts: trainingHosts, clock, logs, metrics }: TrainingRunner,
  { input }: TrainingJobRecord,
  request: HostsRequest,
  hosts: readonly HostFolders[],
  progress: TrainingProgress,
): Promise<{ readonly end: TrainingEnd; readonly note: Note }> {
  const startSeconds = Math.floor(clock.now() / 1000);
  const write = (host: string, text: string): void =>
    logs.write(TRAINING_JOBS, `${input.TrainingJobName}/${host}-${startSeconds}`, text);
  const bounded = new Map(
    hosts.map(({ host }) => [host, boundLog((text) => write(host, text), clock)] as const),
  );
  const note: Note = (text) => write('algo-1', `[sagemaker logs]: ${text}`);
  const reader = createMetricReader(input.AlgorithmSpecification.MetricDefinitions ?? []);
  progress.enter('Training');
  const image = parseTrainingImage(input.AlgorithmSpecification.TrainingImage ?? '');
  if (image !== undefined) note(runtimeRemark(image, await trainingHosts.runtimeOf(request)));
  for (const text of remarks(request, input)) note(text);
  const cancel = clock.after(maxRuntimeSeconds(input) * 1000, progress.exceed);
  const line = (host: string, text: string): void => {
    bounded.get(host)?.write(text);
    const values = reader.read(text, clock.now());
    if (values.length === 0) return;
    const named = Object.fromEntries(values.map(({ name, value }) => [name, value]));
    const { TrainingJobName } = input;
    for (const dimensions of [{ Host: `${TrainingJobName}/${host}` }, { TrainingJobName }])
      metrics.put(TRAINING_JOBS, dimensions, named);
  };
  try {
    return { end: await trainingHosts.run(request, hosts, { line }, progress.stop), note };
  } finally {
    cancel();
    for (const { flush } of bounded.values()) flush();
    progress.measured(reader.last());
  }
}

/** What runs here in another way than in the cloud. */
function* remarks(request: HostsRequest, input: TrainingJobRecord['input']): Generator<string> {
  const recorded = Object.keys(RECORDED).filter((name) => Object.hasOwn(input, name));
  if (/^ml\.[gp]\d/.test(request.instanceType))
    yield `${request.instanceType} has GPUs in the cloud; hosts have none here: SM_NUM_GPUS is 0`;
  if (recorded.length > 0) yield `recorded, without effect on this machine: ${recorded.join(', ')}`;
  for (const { name, inputMode } of request.channels)
    if (inputMode === 'FastFile')
      yield `channel ${name}: FastFile is read as File here: all objects were copied before the start`;
}

/** Why the hosts failed comes before what cannot be uploaded. */
async function uploadAll(
  { objects }: TrainingRunner,
  job: TrainingJobRecord,
  hosts: readonly HostFolders[],
  { failure }: TrainingEnd,
  note: Note,
): Promise<void> {
  try {
    const left = await uploadOutputs(objects, job, hosts, failure === undefined);
    if (left.length > 0) note(`links and devices are not uploaded: ${left.join(', ')}`);
  } catch (error) {
    if (failure === undefined) throw error;
    note(error instanceof Error ? error.message : String(error));
  }
  if (failure) throw new JobFailure(failure.reason);
}
