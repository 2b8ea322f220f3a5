import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type HostFolders,
  type TrainingEnd,
  TrainingRefused,
} from '@inferdrop/training-container/training-request';
import type { SpotInterruption, TrainingFault } from '../faults.ts';
import { FAILURE, JobFailure } from '../jobs/job-failure.ts';
import { type CheckpointSync, startCheckpointSync } from './checkpoint-sync.ts';
import { outputPrefix } from './describe-job.ts';
import { inputModeOf, type PipeSources, toHostsRequest } from './hosts-request.ts';
import { downloadChannel, restoreCheckpoints } from './input-channels.ts';
import { createMetricReader } from './metric-definitions.ts';
import { openPipeChannel } from './pipe-channel.ts';
import { type TrainingProgress, TrainingStopped } from './running-trainings.ts';
import type { HostsRequest, TrainingHosts } from './training-hosts.ts';
import { RECORDED, type TrainingJobRecord } from './training-job-record.ts';
import { openTrainingLog, type TrainingLog } from './training-log.ts';
import type { TrainingRunner } from './training-runner.ts';
import { parseTrainingImage, runtimeRemark, runtimeText, versionProblem } from './training-runtime.ts';
import { unpackSource } from './training-source.ts';
import { uploadFailed, uploadOutputs } from './upload-outputs.ts';

/** Characters of a FailureReason. */
const MAX_REASON = 1_024;

/**
 * Does the whole work of one job: download, train, upload; once more on other instances where spot instances are taken away.
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
  const reader = createMetricReader(job.input.AlgorithmSpecification.MetricDefinitions ?? []);
  try {
    for (let earlier = 0; ; earlier++) {
      const log = openTrainingLog(runner, job.input.TrainingJobName, reader);
      const interruption = await runOnInstances(runner, job, log, progress, earlier);
      if (interruption === undefined) return;
      progress.enter('Interrupted');
      await runner.clock.sleep(interruption.untilCapacityMs, progress.stop);
      progress.enter('Starting');
    }
  } catch (error) {
    if (!(error instanceof TrainingRefused)) throw error;
    throw new JobFailure(`AlgorithmError: ${error.message}`);
  } finally {
    progress.measured(reader.last());
  }
}

/** @returns how the instances were taken away; undefined if the script came to its end, and its outputs are stored */
async function runOnInstances(
  runner: TrainingRunner,
  job: TrainingJobRecord,
  log: TrainingLog,
  progress: TrainingProgress,
  earlier: number,
): Promise<SpotInterruption | undefined> {
  const root = await mkdtemp(join(runner.workDir, 'training-'));
  const over = new AbortController();
  try {
    const request = toHostsRequest(job, root, await openPipes(runner, job), runner);
    const hosts = await runner.hosts.prepare(request);
    await download(runner, job, hosts, progress);
    const { end, interruption, sync } = await train(
      runner,
      job,
      request,
      hosts,
      log,
      progress,
      earlier,
      over.signal,
    );
    const { stop } = progress;
    if (stop.aborted && !(stop.reason instanceof TrainingStopped)) return undefined;
    if (interruption !== undefined) {
      await sync?.finish();
      return interruption;
    }
    // A job stopped by StopTrainingJob doesn't show this step.
    if (!(stop.reason instanceof TrainingStopped && stop.reason.end === 'Stopped'))
      progress.enter('Uploading');
    await uploadAll(runner, job, hosts, end, sync, log);
    return undefined;
  } finally {
    over.abort();
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
  // Unpacking is the work of the toolkit, which a command of the job's own replaces.
  if (input.AlgorithmSpecification.ContainerEntrypoint === undefined)
    await unpackSource(objects, input, hosts);
  stop.throwIfAborted();
}

async function train(
  { hosts: trainingHosts, objects, clock, faults }: TrainingRunner,
  { input }: TrainingJobRecord,
  request: HostsRequest,
  hosts: readonly HostFolders[],
  log: TrainingLog,
  progress: TrainingProgress,
  earlier: number,
  over: AbortSignal,
): Promise<{
  readonly end: TrainingEnd;
  readonly interruption: SpotInterruption | undefined;
  readonly sync: CheckpointSync | undefined;
}> {
  progress.enter('Training');
  const image = parseTrainingImage(input.AlgorithmSpecification.TrainingImage ?? '');
  let otherVersion = '';
  if (image !== undefined) {
    const runtime = await trainingHosts.runtimeOf(request);
    const problem = versionProblem(image, runtime);
    if (problem !== undefined) otherVersion = `\n${problem}`;
    log.note(`training runtime: ${runtimeText(runtime)}`);
    log.note(runtimeRemark(image, runtime));
  }
  log.note(HOSTS[trainingHosts.mode]);
  for (const text of remarks(request, input, trainingHosts.mode)) log.note(text);
  const interruption =
    input.EnableManagedSpotTraining === true
      ? faults.interruption?.(input.TrainingJobName, earlier)
      : undefined;
  const taken = new AbortController();
  const sync =
    input.CheckpointConfig &&
    (await startCheckpointSync({
      objects,
      clock,
      hosts,
      uri: input.CheckpointConfig.S3Uri,
      until: over,
      note: log.note,
      onStored: () => interruption?.after === 'checkpoint' && taken.abort(),
    }));
  const cancel =
    typeof interruption?.after === 'number'
      ? clock.after(interruption.after, () => taken.abort())
      : () => undefined;
  const stopClock = progress.startRuntime();
  try {
    const signal = AbortSignal.any([progress.stop, taken.signal]);
    const { failure, ...ended } = await trainingHosts.run(request, hosts, log, signal);
    const reason = failure && `${failure.reason.slice(0, MAX_REASON - otherVersion.length)}${otherVersion}`;
    const end = failure && reason !== undefined ? { ...ended, failure: { ...failure, reason } } : ended;
    const isTaken = taken.signal.aborted && !progress.stop.aborted && failure === undefined;
    return { end, interruption: isTaken ? interruption : undefined, sync };
  } finally {
    cancel();
    stopClock();
    log.close();
  }
}

/** Sentence of the log on the hosts. */
const HOSTS: Readonly<Record<TrainingHosts['mode'], string>> = {
  portable:
    'hosts are portable: they share the network and files of this machine, and Python maps /opt/ml, names and ports',
  exact:
    'hosts are exact: each has its own /opt/ml, name, address and ports; without network isolation they reach this ' +
    'stack, and no other network',
};

const ISOLATED: Readonly<Record<TrainingHosts['mode'], string>> = {
  portable:
    'EnableNetworkIsolation holds here only for the Python of the script: programs that it starts have the network of ' +
    'this machine; start the stack with --training-hosts exact to isolate them as well',
  exact: 'EnableNetworkIsolation: the hosts reach each other and nothing else',
};

/** Differences between a run here and one in the cloud. */
function* remarks(
  request: HostsRequest,
  input: TrainingJobRecord['input'],
  mode: TrainingHosts['mode'],
): Generator<string> {
  if (request.networkIsolation) yield ISOLATED[mode];
  const recorded = Object.keys(RECORDED).filter((name) => Object.hasOwn(input, name));
  if (/^ml\.[gp]\d/.test(request.instanceType))
    yield `${request.instanceType} has GPUs in the cloud; hosts here don't: SM_NUM_GPUS is 0`;
  if (recorded.length > 0) yield `recorded, without effect on this machine: ${recorded.join(', ')}`;
  for (const { name, inputMode } of request.channels)
    if (inputMode === 'FastFile')
      yield `channel ${name}: FastFile is read as File here: all objects were copied before the start`;
}

/** Why the hosts failed comes before what cannot be uploaded. */
async function uploadAll(
  { objects, outputKeyRefusal }: TrainingRunner,
  job: TrainingJobRecord,
  hosts: readonly HostFolders[],
  { failure }: TrainingEnd,
  sync: CheckpointSync | undefined,
  { note }: TrainingLog,
): Promise<void> {
  try {
    await sync?.finish();
    const refused = outputKeyRefusal();
    if (refused !== null) throw uploadFailed(`${outputPrefix(job)}/model.tar.gz`, refused);
    const left = await uploadOutputs(objects, job, hosts, failure === undefined);
    if (left.length > 0) note(`links and devices are not uploaded: ${left.join(', ')}`);
  } catch (error) {
    if (failure === undefined) throw error;
    note(error instanceof Error ? error.message : String(error));
  }
  if (failure) throw new JobFailure(failure.reason);
}
