import type { TrainingSettings } from '../pipeline/training-settings.ts';
import type { PlannedChannel } from './training-plan.ts';

/** A channel of pipeline.json with its defaults. */
export interface AskedChannel extends Pick<
  PlannedChannel,
  | 'name'
  | 'attributes'
  | 'distribution'
  | 'shuffleSeed'
  | 'inputMode'
  | 'contentType'
  | 'compression'
  | 'recordWrapper'
> {
  /** Path of the field in pipeline.json. */
  readonly field: string;
  readonly s3DataType: PlannedChannel['s3DataType'];
  /** Prefix or file below the drop. */
  readonly path: string;
  /** How many of prefix, manifest and augmentedManifest it names. */
  readonly named: number;
}

/** The channels that pipeline.json asks for. */
export function askedChannels({
  channels,
  inputMode,
}: Pick<TrainingSettings, 'channels' | 'inputMode'>): AskedChannel[] {
  return Object.entries(channels).map(([name, written]) => {
    const channel: Exclude<typeof written, string> =
      typeof written === 'string'
        ? { prefix: written, distribution: 'FullyReplicated', compression: 'None', recordWrapper: 'None' }
        : written;
    const { prefix, manifest, augmentedManifest } = channel;
    const paths = [prefix, manifest, augmentedManifest];
    return {
      name,
      field: `training.channels.${name}`,
      s3DataType:
        augmentedManifest !== undefined
          ? 'AugmentedManifestFile'
          : manifest !== undefined
            ? 'ManifestFile'
            : 'S3Prefix',
      path: augmentedManifest ?? manifest ?? prefix ?? '',
      named: paths.filter((path) => path !== undefined).length,
      attributes: channel.attributes ?? [],
      distribution: channel.distribution,
      shuffleSeed: channel.shuffleSeed ?? null,
      inputMode: channel.inputMode ?? inputMode,
      contentType: channel.contentType ?? null,
      compression: channel.compression,
      recordWrapper: channel.recordWrapper,
    };
  });
}
