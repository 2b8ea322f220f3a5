import { text } from 'node:stream/consumers';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type InputPlaces, readSageMakerManifest, resolveDropInput } from '../../drop/drop-input.ts';
import type { Frozen } from '../../drop/frozen.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { AskedChannel } from '../../training/asked-channel.ts';
import { readAugmentedManifest } from '../../training/augmented-manifest.ts';
import type { ChannelInputs } from '../../training/judge-channels.ts';
import type { PlannedChannel } from '../../training/training-plan.ts';
import { writeJobInputs } from '../records/job-inputs.ts';
import { readManifest } from '../records/manifest.ts';

/** Cap on the size of a channel's own manifest, which is held in memory as a whole. */
const MAX_MANIFEST_BYTES = 64_000_000;

/** The frozen drop that the channels are within. */
type Drop = Pick<Frozen, 'sourceBucket' | 'sourcePrefix'>;

/**
 * Counts the frozen drop's files of each channel. The manifests of the drop are judged, and copied for the run, since the drop's can be
 * overwritten before the job reads them.
 */
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
      found.set(
        channel.name,
        await keepChannelFile(store.in(drop.sourceBucket), channel, file, {
          places,
          own: store,
          ownKey: bucketLayout.channelInput(run, channel.name),
        }),
      );
  }
  return found;
}

/** Writes the inputs of the channels that are prefixes of the drop, and that the plan reads by a manifest of the application's own. */
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
    if (!isOwn || channel.s3DataType !== 'S3Prefix') continue;
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

/** The place of a channel's own manifest. */
interface KeptManifest {
  readonly places: InputPlaces;
  readonly own: ObjectStore;
  readonly ownKey: string;
}

async function keepChannelFile(
  store: ObjectStore,
  { s3DataType, attributes }: AskedChannel,
  { key, size, etag }: ManifestEntry,
  { places, own, ownKey }: KeptManifest,
): Promise<ChannelInputs> {
  const refuse = (problem: string): ChannelInputs => ({ objects: 0, bytes: 0, problem });
  if (size > MAX_MANIFEST_BYTES)
    return refuse(`must have at most ${MAX_MANIFEST_BYTES} bytes, has ${size}: divide it among channels`);
  const found = await store.open(key);
  if (found?.etag !== etag) {
    found?.body.destroy();
    return refuse('was overwritten or deleted since the drop was frozen: drop it again');
  }
  const uri = `s3://${store.bucket}/${key}`;
  if (s3DataType === 'AugmentedManifestFile') {
    const lines = await readAugmentedManifest(found.body, attributes, places);
    if ('problem' in lines) return refuse(lines.problem);
    await own.write(ownKey, lines.texts.join(''), { contentType: 'application/jsonlines' });
    return { objects: lines.texts.length, bytes: 0 };
  }
  const named = readSageMakerManifest(uri, await text(found.body));
  if ('message' in named) return refuse(`is not a usable manifest: ${named.message}`);
  const allowed = resolveDropInput(
    { field: 'input.s3Prefix', uri: `s3://${named.bucket}/${named.prefix}` },
    places,
  );
  if ('message' in allowed) return refuse(`names a prefix that ${allowed.message}`);
  await writeJobInputs(own, ownKey, named, named.listed);
  return { objects: named.keys.length, bytes: 0 };
}
