import type { ObjectStore } from '../../aws/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { Frozen, Slice } from '../../drop/frozen.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';

const REQUESTS_AT_ONCE = 16;
/** Where releases until 0.1 kept them: the lifecycle rule of `runs/` removes them. */
const EXPIRING = /^runs\/(.+)\/freeze\/[^/]+$/;

/** What covers the files of a drop before a generation lists them. */
export interface Covered {
  readonly slices: readonly Slice[];
  readonly through?: string;
}

/**
 * What the generation before has covered, made safe from lifecycle rules: slices below `runs/` are copied below `state/`. For
 * those that have expired, the time of their listing is used: later files have had a generation of their own.
 */
export async function keepCovered(
  run: RunParts,
  before: Frozen | undefined,
  { store, newId }: { readonly store: ObjectStore; readonly newId: () => string },
): Promise<Covered> {
  const slices: Slice[] = [];
  const listings = new Set<string>();
  const kept = inOrder(before?.coveredSlices ?? [], REQUESTS_AT_ONCE, async (slice) => {
    if (!EXPIRING.test(slice.object)) return slice;
    const object = `${bucketLayout.covered(run)}${newId()}.jsonl.gz`;
    return (await copyIfThere(store, slice.object, object)) ? { ...slice, object } : undefined;
  });
  for await (const [{ object }, slice] of kept) {
    if (slice !== undefined) slices.push(slice);
    else listings.add(EXPIRING.exec(object)?.[1] ?? '');
  }
  const times = [
    before?.coveredThrough,
    ...(await Promise.all([...listings].map((id) => listedAt(store, id)))),
  ];
  const through = times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  return { slices, ...(through !== undefined && { through }) };
}

async function copyIfThere(store: ObjectStore, source: string, target: string): Promise<boolean> {
  try {
    await store.copy({ bucket: store.bucket, key: source }, target);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return false;
    throw error;
  }
}

/** When a generation's listing began, by S3's clock. */
async function listedAt(store: ObjectStore, runId: string): Promise<string> {
  const run = parseRunId(runId);
  const marker = run && (await store.describe(bucketLayout.freezing(run)));
  if (marker === undefined)
    throw new Condition(
      'SliceMissing',
      `slices of ${runId} have expired, and its marker that says when it listed is not there`,
    );
  return marker.lastModified.toISOString();
}

/**
 * Removes the slices that a frozen generation replaces: those of the generation before, and those that lost
 * invocations and abandoned generations between them have left.
 */
export async function removeSuperseded(
  store: ObjectStore,
  run: RunParts,
  frozen: Frozen,
  before: { readonly run: RunParts; readonly frozen: Frozen } | undefined,
): Promise<void> {
  const named = new Set(frozen.coveredSlices.map(({ object }) => object));
  const old = (before?.frozen.coveredSlices ?? [])
    .map(({ object }) => object)
    .filter((object) => !EXPIRING.test(object));
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
