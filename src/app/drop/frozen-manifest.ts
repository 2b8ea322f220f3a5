import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { Frozen } from '../../drop/frozen.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { inOrder } from '../run/in-order.ts';
import { requireSlice } from './covered-slices.ts';

const REQUESTS_AT_ONCE = 16;

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

/** Copies the slices to `manifest.jsonl`; an invocation that repeats it copies the same. */
export async function publishManifest(
  store: ObjectStore,
  run: RunParts,
  { manifestSlices }: Frozen,
): Promise<void> {
  const key = bucketLayout.manifest(run);
  if ((await store.describe(key)) !== undefined) return;
  const [first, ...more] = manifestSlices;
  if (first !== undefined && more.length === 0)
    await store.copy({ bucket: store.bucket, key: first.object }, key);
  else
    await store.writeStream(
      key,
      concatenate(
        store,
        manifestSlices.map(({ object }) => object),
      ),
    );
}

/** Lines in a row are lines. */
async function* concatenate(store: ObjectStore, objects: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const object of objects) yield* await requireSlice(store, object);
}
