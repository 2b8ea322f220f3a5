import { validationException } from '../../kernel/aws-error.ts';
import { parseS3Uri, withoutTrailingSlashes } from '../jobs/s3-uri.ts';
import { metricProblem } from './metric-definitions.ts';
import type { Channel, CreateTrainingJobInput } from './training-job-record.ts';
import { parseTrainingImage, TRAINING_REPOSITORIES } from './training-runtime.ts';

const MAX_RUNTIME_SECONDS = 28 * 86_400;
const CHECKPOINTS = '/opt/ml/checkpoints';

/**
 * Refuses what AWS documents as not allowed, then what only this stack cannot do.
 *
 * @throws {AwsError} `ValidationException`
 */
export function checkTraining(input: CreateTrainingJobInput): void {
  const problem = [...awsProblems(input), ...ownProblems(input)][0];
  if (problem !== undefined) throw validationException(problem);
}

function* awsProblems(input: CreateTrainingJobInput): Generator<string> {
  const { AlgorithmSpecification: algorithm, ResourceConfig, StoppingCondition, OutputDataConfig } = input;
  if (algorithm.TrainingImage === undefined)
    yield 'AlgorithmSpecification must have one of TrainingImage and AlgorithmName, has neither';
  if (ResourceConfig.InstanceType === undefined)
    yield 'ResourceConfig.InstanceType must be given, like ml.m5.xlarge';
  if ((ResourceConfig.InstanceCount ?? 0) < 1)
    yield `ResourceConfig.InstanceCount must be 1 or more, is ${ResourceConfig.InstanceCount ?? 'not given'}`;
  const { MaxRuntimeInSeconds: run = 1, MaxWaitTimeInSeconds: wait } = StoppingCondition ?? {};
  if (run > MAX_RUNTIME_SECONDS)
    yield `StoppingCondition.MaxRuntimeInSeconds must be at most ${MAX_RUNTIME_SECONDS}, is ${run}`;
  if (input.EnableManagedSpotTraining === true && (wait === undefined || wait < run))
    yield 'Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal to MaxRuntimeInSeconds';
  if (input.EnableManagedSpotTraining !== true && wait !== undefined)
    yield 'Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true';
  for (const [field, uri] of [
    ['OutputDataConfig.S3OutputPath', OutputDataConfig.S3OutputPath],
    ['CheckpointConfig.S3Uri', input.CheckpointConfig?.S3Uri],
  ] as const)
    if (uri !== undefined && parseS3Uri(uri) === undefined)
      yield `${field} must be of the form s3://bucket/key, is ${uri}`;
  for (const definition of algorithm.MetricDefinitions ?? []) {
    const problem = metricProblem(definition);
    if (problem !== undefined) yield problem;
  }
  const channels = input.InputDataConfig ?? [];
  for (const [index, channel] of channels.entries()) {
    if (channels.findIndex(({ ChannelName }) => ChannelName === channel.ChannelName) !== index)
      yield `InputDataConfig must name each channel once, has ${channel.ChannelName} twice`;
    const clash = channels.find(
      (other) =>
        (channel.InputMode ?? algorithm.TrainingInputMode) === 'Pipe' &&
        other.ChannelName.startsWith(`${channel.ChannelName}_`) &&
        /^\d+$/.test(other.ChannelName.slice(channel.ChannelName.length + 1)),
    );
    if (clash !== undefined)
      yield `channel ${clash.ChannelName} has the name of a pipe of channel ${channel.ChannelName}`;
    yield* channelProblems(channel, channel.InputMode ?? algorithm.TrainingInputMode);
  }
}

function* channelProblems(channel: Channel, mode: string): Generator<string> {
  const { ChannelName: name, CompressionType, RecordWrapperType } = channel;
  const { S3DataType, S3Uri, AttributeNames } = channel.DataSource.S3DataSource;
  if (name === '.' || name === '..') yield `ChannelName must be the name of a folder, is ${name}`;
  if (parseS3Uri(S3Uri) === undefined)
    yield `S3Uri of channel ${name} must be of the form s3://bucket/key, is ${S3Uri}`;
  if (mode !== 'Pipe' && (CompressionType ?? 'None') !== 'None')
    yield `CompressionType of channel ${name} must be None but in Pipe mode, is ${CompressionType} in ${mode} mode`;
  if (mode !== 'Pipe' && (RecordWrapperType ?? 'None') !== 'None')
    yield `RecordWrapperType of channel ${name} must be None but in Pipe mode, is ${RecordWrapperType} in ${mode} mode`;
  if (mode === 'FastFile' && S3DataType !== 'S3Prefix')
    yield `S3DataType of channel ${name} must be S3Prefix in FastFile mode, is ${S3DataType}`;
  if (S3DataType === 'AugmentedManifestFile' && (mode !== 'Pipe' || (AttributeNames ?? []).length === 0))
    yield `AugmentedManifestFile of channel ${name} needs Pipe mode and AttributeNames`;
}

function* ownProblems(input: CreateTrainingJobInput): Generator<string> {
  const { AlgorithmSpecification: algorithm, ResourceConfig, CheckpointConfig, OutputDataConfig } = input;
  const image = algorithm.TrainingImage ?? '';
  if (parseTrainingImage(image) === undefined)
    yield `This stack cannot run the image ${image}: its repository must be one of ${TRAINING_REPOSITORIES.join(', ')}`;
  if (algorithm.ContainerArguments !== undefined && algorithm.ContainerEntrypoint === undefined)
    yield notEmulated('ContainerArguments without ContainerEntrypoint');
  if ((ResourceConfig.KeepAlivePeriodInSeconds ?? 0) > 0)
    yield notEmulated('ResourceConfig.KeepAlivePeriodInSeconds');
  if (OutputDataConfig.CompressionType === 'NONE') yield notEmulated('OutputDataConfig.CompressionType NONE');
  const path = withoutTrailingSlashes(CheckpointConfig?.LocalPath ?? CHECKPOINTS);
  if (path !== CHECKPOINTS) yield notEmulated(`a CheckpointConfig.LocalPath other than ${CHECKPOINTS}`);
  for (const { ChannelName, DataSource } of input.InputDataConfig ?? []) {
    const { S3DataType } = DataSource.S3DataSource;
    if (S3DataType === 'Converse') yield notEmulated(`S3DataType Converse (channel ${ChannelName})`);
  }
}

function notEmulated(what: string): string {
  return `The local stack does not emulate ${what} of CreateTrainingJob: leave it out`;
}
