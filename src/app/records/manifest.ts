import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { eachOf } from '../../concurrency/each-of.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readPlaced } from './run-file.ts';

const REQUESTS_AT_ONCE = 16;
const JSON_LINES = { contentType: 'application/jsonl' };

/** Whether a manifest's slices are all there; they expire with the run that listed them. */
export async function hasManifest(store: ObjectStore, { manifestSlices }: Frozen): Promise<boolean> {
  const described = inOrder(manifestSlices, REQUESTS_AT_ONCE, ({ object }) => store.describe(object));
  for await (const [, object] of described) if (object === undefined) return false;
  return true;
}

/** Has S3 put the slices together as `manifest.jsonl`; an invocation that repeats it copies the same. */
export async function publishManifest(
  store: ObjectStore,
  run: RunParts,
  { manifestSlices }: Frozen,
): Promise<void> {
  const key = bucketLayout.manifest(run);
  if ((await store.describe(key)) !== undefined) return;
  const objects = manifestSlices.map(({ object }) => object);
  const [first, ...more] = objects;
  if (first === undefined) await store.write(key, '', JSON_LINES);
  else if (more.length === 0) await store.copy({ bucket: store.bucket, key: first }, key);
  else await store.join(objects, key, JSON_LINES);
}

/** An entry with the place in its file, in bytes, that follows it. */
export type PlacedEntry = ManifestEntry & { readonly end: number };

/**
 * The entries of a manifest, in its order, as they are read; from a place between two lines on.
 *
 * @throws `RunFileMissing`
 */
export function readManifest(
  store: ObjectStore,
  key: string,
  start = 0,
): AsyncIterableIterator<PlacedEntry, undefined> {
  return eachOf(readPlaced(store, key, start, (value, end) => ({ ...ManifestEntry.parse(value), end })));
}
