import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';
import type { AskedChannel } from './asked-channel.ts';

/** CreateTrainingJob's bound. */
const MAX_CHANNELS = 20;

/** The drop's files for a channel. */
export interface ChannelInputs {
  readonly objects: number;
  readonly bytes: number;
  /** Problem of the channel's own manifest, to follow the name of the field. */
  readonly problem?: string;
}

/** Facts that decide whether the channels can be read. */
export interface ChannelFacts {
  readonly found: ReadonlyMap<string, ChannelInputs>;
  /** The drop's folder, for messages. */
  readonly place: string;
  /** Whether the run consists of exactly the files below the drop's folder. */
  readonly isOwnFolder: boolean;
  readonly networkIsolation: boolean;
}

/** Problems of `training.channels`. */
export function channelProblems(channels: readonly AskedChannel[], facts: ChannelFacts): Problem[] {
  const file = 'pipeline.json';
  const problems = channels.flatMap((channel) =>
    problemsOf(channel, facts).map(({ field, value, message }) => ({
      file,
      field: field === '' ? channel.field : `${channel.field}.${field}`,
      value: toShownValue(value),
      message,
    })),
  );
  if (channels.length >= 1 && channels.length <= MAX_CHANNELS) return problems;
  const message = `must have 1 to ${MAX_CHANNELS} channels, has ${channels.length}`;
  return [...problems, { file, field: 'training.channels', value: '', message }];
}

interface Found {
  readonly field: string;
  readonly value: unknown;
  readonly message: string;
}

function problemsOf(channel: AskedChannel, facts: ChannelFacts): Found[] {
  const { name, s3DataType, inputMode, attributes, compression, recordWrapper } = channel;
  const problems: Found[] = [];
  const add = (field: string, value: unknown, message: string): void => {
    problems.push({ field, value, message });
  };
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name) || /^\.{1,2}$/.test(name))
    add('', name, 'must have a name of 1 to 64 of A-Z a-z 0-9 . _ -, because it becomes a folder: rename it');
  if (name === 'code' && facts.networkIsolation)
    add(
      '',
      name,
      'must have another name where training.networkIsolation is true: the source is sent as the channel code',
    );
  if (channel.named !== 1) {
    add('', name, `must name exactly one of prefix, manifest, augmentedManifest, names ${channel.named}`);
    return problems;
  }
  if (inputMode === 'FastFile' && s3DataType !== 'S3Prefix')
    add(
      'inputMode',
      inputMode,
      'must be File or Pipe for a manifest: FastFile mounts a prefix; name a prefix, or another input mode',
    );
  else if (inputMode === 'FastFile' && !facts.isOwnFolder)
    add(
      'inputMode',
      inputMode,
      'must be File or Pipe for this drop: its files are not all that lies below one prefix, and FastFile mounts a ' +
        'prefix; drop them into a folder of their own, or use File',
    );
  if (s3DataType === 'S3Prefix' && channel.path !== '' && !channel.path.endsWith('/'))
    add(
      'prefix',
      channel.path,
      `must be empty or end with a slash, so that it names one folder: write "${channel.path}/"`,
    );
  const isAugmented = s3DataType === 'AugmentedManifestFile';
  if (isAugmented && inputMode !== 'Pipe')
    add('inputMode', inputMode, 'must be Pipe for an augmented manifest: SageMaker streams its attributes');
  if (isAugmented && attributes.length === 0)
    add(
      'attributes',
      undefined,
      'is missing: name the attributes of each line that the script reads, in their order',
    );
  if (!isAugmented && attributes.length > 0)
    add('attributes', attributes, 'belongs to an augmentedManifest: remove it');
  if (inputMode !== 'Pipe') {
    const remedy = `SageMaker does that only for streams; set inputMode to Pipe, or leave it out`;
    if (compression !== 'None')
      add('compression', compression, `must be None in the input mode ${inputMode}: ${remedy}`);
    if (recordWrapper !== 'None')
      add('recordWrapper', recordWrapper, `must be None in the input mode ${inputMode}: ${remedy}`);
  }
  problems.push(...emptyProblems(channel, facts));
  return problems;
}

function emptyProblems({ name, s3DataType, path }: AskedChannel, { found, place }: ChannelFacts): Found[] {
  const field = { S3Prefix: 'prefix', ManifestFile: 'manifest', AugmentedManifestFile: 'augmentedManifest' }[
    s3DataType
  ];
  const inputs = found.get(name);
  if (inputs?.problem !== undefined) return [{ field, value: path, message: inputs.problem }];
  if (inputs !== undefined && inputs.objects > 0) return [];
  const message =
    s3DataType === 'S3Prefix'
      ? `has no files in the drop: nothing lies below ${place}${path}; upload the files there, or correct the prefix`
      : `is not in the drop: upload it to ${place}${path}, or correct the name`;
  return [{ field, value: path, message }];
}
