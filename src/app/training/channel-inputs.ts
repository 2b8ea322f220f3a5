import type { ObjectStore } from '../../aws/object-store.ts';
import { type InputPlaces, readSageMakerManifest, resolveDropInput } from '../../drop/drop-input.ts';
import type { Frozen } from '../../drop/frozen.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readLines } from '../../text/json-lines.ts';
import { parsedJson } from '../../text/parsed-json.ts';
import type { AskedChannel } from '../../training/asked-channel.ts';
import type { ChannelInputs } from '../../training/judge-channels.ts';
import type { PlannedChannel } from '../../training/training-plan.ts';
import { writeJobInputs } from '../records/job.ts';
import { readManifest } from '../records/manifest.ts';

/** Of a channel's own manifest, which is held in memory as a whole. */
const MAX_MANIFEST_BYTES = 64_000_000;

/** The frozen drop that the channels are within. */
type Drop = Pick<Frozen, 'sourceBucket' | 'sourcePrefix'>;

/** Counts the frozen drop's files of each channel. */
export async function findChannelInputs(
  store: ObjectStore,
  run: RunParts,
  channels: readonly AskedChannel[],
  { drop, readBuckets }: { readonly drop: Drop; readonly readBuckets: readonly string[] },
): Promise<ReadonlyMap<string, ChannelInputs>> {
  const counts = channels.map((channel) => ({ channel, objects: 0, bytes: 0 }));
  const files = new Map<string, ManifestEntry>();
  const named = new Set(
    channels
      .filter(({ s3DataType }) => s3DataType !== 'S3Prefix')
      .map(({ path }) => `${drop.sourcePrefix}${path}`),
  );
  for await (const entry of readManifest(store, bucketLayout.manifest(run))) {
    if (named.has(entry.key)) files.set(entry.key, entry);
    for (const count of counts) {
      if (!isWithin(count.channel, drop, entry.key)) continue;
      count.objects += 1;
      count.bytes += entry.size;
    }
  }
  const found = new Map<string, ChannelInputs>();
  const places = { ownBucket: store.bucket, drop: run, readBuckets };
  for (const { channel, objects, bytes } of counts) {
    const file = files.get(`${drop.sourcePrefix}${channel.path}`);
    if (channel.s3DataType === 'S3Prefix') found.set(channel.name, { objects, bytes });
    else if (file !== undefined)
      found.set(channel.name, await readChannelFile(store.in(drop.sourceBucket), channel, file, places));
  }
  return found;
}

/** Writes the inputs of the channels that the plan reads by a manifest of the application's own. */
export async function writeChannelInputs(
  store: ObjectStore,
  run: RunParts,
  asked: readonly AskedChannel[],
  { drop, planned }: { readonly drop: Drop; readonly planned: readonly PlannedChannel[] },
): Promise<void> {
  for (const channel of asked) {
    const key = bucketLayout.channelInput(run, channel.name);
    const isOwn = planned.some(
      ({ name, uri }) => name === channel.name && uri === `s3://${store.bucket}/${key}`,
    );
    if (!isOwn) continue;
    const place = { bucket: drop.sourceBucket, prefix: `${drop.sourcePrefix}${channel.path}` };
    await writeJobInputs(store, key, place, keysOf(store, run, channel, drop));
  }
}

async function* keysOf(
  store: ObjectStore,
  run: RunParts,
  channel: AskedChannel,
  drop: Drop,
): AsyncGenerator<string> {
  for await (const { key } of readManifest(store, bucketLayout.manifest(run)))
    if (isWithin(channel, drop, key)) yield key;
}

function isWithin({ s3DataType, path }: AskedChannel, { sourcePrefix }: Drop, key: string): boolean {
  return s3DataType === 'S3Prefix' && key.startsWith(`${sourcePrefix}${path}`);
}

async function readChannelFile(
  store: ObjectStore,
  { s3DataType, attributes }: AskedChannel,
  { key, size }: ManifestEntry,
  places: InputPlaces,
): Promise<ChannelInputs> {
  const refuse = (problem: string): ChannelInputs => ({ objects: 0, bytes: 0, problem });
  if (size > MAX_MANIFEST_BYTES)
    return refuse(`must have at most ${MAX_MANIFEST_BYTES} bytes, has ${size}: divide it among channels`);
  if (s3DataType === 'AugmentedManifestFile') return readAugmented(store, key, attributes);
  const uri = `s3://${store.bucket}/${key}`;
  const text = await store.readText(key);
  const named = readSageMakerManifest(uri, text ?? '');
  if ('message' in named) return refuse(`is not a usable manifest: ${named.message}`);
  const allowed = resolveDropInput(
    { field: 'input.s3Prefix', uri: `s3://${named.bucket}/${named.prefix}` },
    places,
  );
  if ('message' in allowed) return refuse(`names a prefix that ${allowed.message}`);
  return { objects: named.keys.length, bytes: 0 };
}

async function readAugmented(
  store: ObjectStore,
  key: string,
  attributes: readonly string[],
): Promise<ChannelInputs> {
  const stream = await store.readStream(key);
  let objects = 0;
  if (stream === undefined) return { objects, bytes: 0 };
  for await (const line of readLines(stream)) {
    if (line.trim() === '') continue;
    objects += 1;
    const missing = objects === 1 ? missingAttribute(line, attributes) : undefined;
    if (missing !== undefined) return { objects: 0, bytes: 0, problem: missing };
  }
  return { objects, bytes: 0 };
}

function missingAttribute(line: string, attributes: readonly string[]): string | undefined {
  const value = parsedJson(line);
  if (typeof value !== 'object' || value === null)
    return 'must have a JSON object on each line, its first line is something else';
  const missing = attributes.find((name) => !(name in value));
  if (missing === undefined) return undefined;
  return `must have the attribute ${missing} on each line, its first line has ${Object.keys(value).slice(0, 16).join(', ')}`;
}
