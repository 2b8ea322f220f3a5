import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { Frozen } from '../../drop/frozen.ts';
import type { RunParts } from '../../run/run-id.ts';
import { inOrder } from './in-order.ts';

const REQUESTS_AT_ONCE = 16;
const JSON_LINES = { contentType: 'application/jsonl' };

/** What a generation's `frozen.json` says, if it is there. */
export async function readFrozen(store: ObjectStore, run: RunParts): Promise<Frozen | undefined> {
  const text = await store.readText(bucketLayout.frozen(run));
  return text === undefined ? undefined : Frozen.parse(JSON.parse(text));
}

/** Writes `frozen.json` if it is not there, and returns what stands there then. */
export async function settleFrozen(store: ObjectStore, run: RunParts, frozen: Frozen): Promise<Frozen> {
  const created = await store.createIfAbsent(bucketLayout.frozen(run), JSON.stringify(frozen), {
    contentType: 'application/json',
  });
  return created ? frozen : ((await readFrozen(store, run)) ?? frozen);
}

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
