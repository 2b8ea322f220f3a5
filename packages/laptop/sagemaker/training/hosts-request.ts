import type { TrainingChannel } from '@inferdrop/training-container/training-request';
import type { HostsRequest } from './training-hosts.ts';
import type { Channel, CreateTrainingJobInput, TrainingJobRecord } from './training-job-record.ts';
import { parseTrainingImage } from './training-runtime.ts';

/** Between SIGTERM and SIGKILL, as SageMaker has it. */
const GRACE_MS = 120_000;

/** The mode of a channel, which may be the job's. */
export function inputModeOf(
  { InputMode }: Channel,
  { AlgorithmSpecification }: CreateTrainingJobInput,
): TrainingChannel['inputMode'] {
  return InputMode ?? AlgorithmSpecification.TrainingInputMode;
}

/** Sources by the name of a channel in Pipe mode. */
export type PipeSources = ReadonlyMap<string, NonNullable<TrainingChannel['open']>>;

/** Request for the hosts of a job. This machine shows them no GPUs, whatever the instances have. */
export function toHostsRequest(
  { arn, input }: TrainingJobRecord,
  root: string,
  pipes: PipeSources,
  stack: { readonly region: string; readonly environment: Readonly<Record<string, string>> },
): HostsRequest {
  const { AlgorithmSpecification: algorithm, ResourceConfig } = input;
  const image = parseTrainingImage(algorithm.TrainingImage ?? '');
  if (image === undefined) throw new Error(`${arn}: CreateTrainingJob has let an unknown image pass`);
  const { ContainerEntrypoint: entrypoint, ContainerArguments: words = [] } = algorithm;
  return {
    name: input.TrainingJobName,
    arn,
    region: stack.region,
    framework: image.framework,
    ...(image.version !== undefined && { imageVersion: image.version }),
    root,
    hostCount: ResourceConfig.InstanceCount ?? 1,
    instanceType: ResourceConfig.InstanceType ?? '',
    gpusPerHost: 0,
    hyperparameters: input.HyperParameters ?? {},
    channels: (input.InputDataConfig ?? []).map((channel): TrainingChannel => {
      const open = pipes.get(channel.ChannelName);
      return {
        name: channel.ChannelName,
        inputMode: inputModeOf(channel, input),
        distribution: channel.DataSource.S3DataSource.S3DataDistributionType ?? 'FullyReplicated',
        recordWrapper: channel.RecordWrapperType ?? 'None',
        ...(channel.ContentType !== undefined && { contentType: channel.ContentType }),
        ...(open !== undefined && { open }),
      };
    }),
    environment: { ...input.Environment, ...stack.environment },
    ...(entrypoint !== undefined && { command: [...entrypoint, ...words] }),
    networkIsolation: input.EnableNetworkIsolation ?? false,
    graceMs: GRACE_MS,
  };
}
