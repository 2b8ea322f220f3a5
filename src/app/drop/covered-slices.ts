import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';

const REQUESTS_AT_ONCE = 16;

/**
 * Removes the slices that a frozen generation replaces: the previous generation's, and leftovers of lost invocations and abandoned
 * generations in between.
 */
export async function removeSuperseded(
  store: ObjectStore,
  run: RunParts,
  frozen: Frozen,
  before: { readonly run: RunParts; readonly frozen: Frozen } | undefined,
): Promise<void> {
  const named = new Set(frozen.coveredSlices.map(({ object }) => object));
  const old = (before?.frozen.coveredSlices ?? []).map(({ object }) => object);
  const left = await listSlices(store, before?.run ?? run, run);
  const superseded = new Set([...old, ...left].filter((object) => !named.has(object)));
  for await (const _ of inOrder(superseded, REQUESTS_AT_ONCE, (object) => store.delete(object)));
}

/** The slices of a drop's generations from one to another. */
async function listSlices(store: ObjectStore, from: RunParts, to: RunParts): Promise<string[]> {
  const folder = bucketLayout.stateOf(from);
  const last = bucketLayout.covered(to);
  const found: string[] = [];
  for await (const { key } of store.list(folder, { startAfter: `${folder}${from.generation}/` })) {
    if (!key.startsWith(last) && compareByteOrder(key, last) > 0) break;
    if (key.slice(folder.length).split('/')[1] === 'covered') found.push(key);
  }
  return found;
}
