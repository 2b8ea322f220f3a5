import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { TrainingChannel } from '@inferdrop/training-container/training-request';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { partitionKeys } from '../jobs/partition.ts';
import { type ManifestAttribute, readAugmentedManifest } from './augmented-manifest.ts';
import { downloadFailed, downloadProblem } from './download-failure.ts';
import { listChannel } from './input-channels.ts';
import { shuffled } from './shuffle.ts';
import type { Channel } from './training-job-record.ts';

/** Unit that is shuffled and dealt to hosts: an object, or a line of an augmented manifest. */
type Item = readonly ManifestAttribute[];

/**
 * Streams of a channel in Pipe mode for each host in each epoch. The objects are listed once, and read when the script reads.
 *
 * @throws {JobFailure} where they cannot be listed
 */
export async function openPipeChannel(
  objects: ObjectAccess,
  channel: Channel,
  hostCount: number,
): Promise<NonNullable<TrainingChannel['open']>> {
  const { ShuffleConfig, CompressionType, DataSource } = channel;
  const isSharded = DataSource.S3DataSource.S3DataDistributionType === 'ShardedByS3Key';
  const items = await listItems(objects, channel);
  return async function* (host, epoch) {
    const inOrder = ShuffleConfig === undefined ? items : shuffled(items, ShuffleConfig.Seed, epoch);
    const own = isSharded ? (partitionKeys(inOrder, hostCount)[host] ?? []) : inOrder;
    for (const attribute of own.flat()) yield readAttribute(objects, attribute, CompressionType === 'Gzip');
  };
}

async function listItems(objects: ObjectAccess, { DataSource }: Channel): Promise<readonly Item[]> {
  const { S3DataSource: source } = DataSource;
  if (source.S3DataType === 'AugmentedManifestFile')
    return readAugmentedManifest(objects, source.S3Uri, source.AttributeNames ?? []).catch(
      (error: unknown) => {
        throw downloadFailed(`Unable to read ${source.S3Uri}`, error);
      },
    );
  const { bucket, keys } = await listChannel(objects, source);
  return keys.map((key) => [{ bucket, key }]);
}

async function* readAttribute(
  objects: ObjectAccess,
  attribute: ManifestAttribute,
  isGzip: boolean,
): AsyncGenerator<Uint8Array> {
  if ('text' in attribute) {
    yield Buffer.from(attribute.text);
    return;
  }
  const { bucket, key } = attribute;
  try {
    const body = objects.hasBucket(bucket) ? await objects.readStream(bucket, key) : undefined;
    if (body === undefined) throw new Error('NoSuchKey: The object does not exist');
    yield* isGzip ? unpacked(body) : body;
  } catch (error) {
    throw new Error(downloadProblem(`Unable to download object s3://${bucket}/${key}`, error), {
      cause: error,
    });
  }
}

function unpacked(body: Readable): AsyncIterable<Uint8Array> {
  return pipeline(body, createGunzip(), () => undefined);
}
