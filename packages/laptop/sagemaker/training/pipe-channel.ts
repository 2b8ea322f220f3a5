import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import type { TrainingChannel } from '@inferdrop/training-container/training-request';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { BadManifest, partitionKeys } from '../jobs/input-objects.ts';
import { parseS3Uri, requireS3Uri, type S3Location } from '../jobs/s3-uri.ts';
import { downloadFailed, downloadProblem, listChannel } from './input-channels.ts';
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

/** An attribute of a line: an object for a name with the suffix `-ref`, else the value's text. */
type ManifestAttribute = S3Location | { readonly text: string };

const Line = z.record(z.string(), z.unknown());

/**
 * Reads JSON lines: of each line the named attributes, in the order of the names (developer guide, "Augmented Manifest Files for
 * Training Jobs").
 *
 * @throws {BadManifest} naming the line
 */
async function readAugmentedManifest(
  objects: ObjectAccess,
  uri: string,
  attributeNames: readonly string[],
): Promise<readonly (readonly ManifestAttribute[])[]> {
  const { bucket, key } = requireS3Uri(uri);
  const body = await objects.read(bucket, key);
  if (body === undefined) throw new BadManifest(`${uri}: the manifest is gone`);
  const lines = body.toString('utf8').split('\n');
  const read = lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const where = `${uri}, line ${index + 1}`;
    const line = parseLine(text, where);
    return [attributeNames.map((name) => toAttribute(line, name, where))];
  });
  if (read.length === 0) throw new BadManifest(`${uri}: the manifest must have a line of JSON, has none`);
  return read;
}

function parseLine(text: string, where: string): z.infer<typeof Line> {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    throw new BadManifest(`${where} must be an object of JSON, is ${text.slice(0, 80)}`);
  }
}

function toAttribute(line: z.infer<typeof Line>, name: string, where: string): ManifestAttribute {
  const value = line[name];
  if (value === undefined) throw new BadManifest(`${where} must have the attribute ${name}`);
  if (!name.endsWith('-ref')) return { text: typeof value === 'string' ? value : JSON.stringify(value) };
  const location = typeof value === 'string' ? parseS3Uri(value) : undefined;
  if (location === undefined)
    throw new BadManifest(`${where}: ${name} must be an S3 URI, is ${JSON.stringify(value)}`);
  return location;
}

/** The items in an order of their own for each seed and epoch, the same on every host and machine. */
function shuffled<T>(items: readonly T[], seed: number, epoch: number): readonly T[] {
  return items
    .map((item, index) => ({
      item,
      rank: createHash('sha256').update(`${seed}/${epoch}/${index}`).digest('hex'),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}
