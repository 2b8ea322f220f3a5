import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { compareByteOrder } from '../../drop/byte-order.ts';
import type { CoveredEntry } from '../../drop/covered-merge.ts';
import type { Slice } from '../../drop/frozen.ts';
import { CoveredVersion, Frozen } from '../../drop/frozen.ts';
import { readLines } from '../../drop/json-lines.ts';
import type { RunParts } from '../../drop/run-id.ts';

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

/** Copies the slices to `manifest.jsonl` and `covered.jsonl.gz`; whoever repeats it copies the same. */
export async function publishManifest(store: ObjectStore, run: RunParts, frozen: Frozen): Promise<void> {
  await publish(store, bucketLayout.manifest(run), frozen.manifestSlices);
  await publish(store, bucketLayout.covered(run), frozen.coveredSlices);
}

/** The covered entries after a key, slice by slice: earlier slices are not even read. */
export async function* readCovered(
  store: ObjectStore,
  slices: readonly Slice[],
  after: string | undefined,
): AsyncGenerator<CoveredEntry> {
  for (const { object, through } of slices) {
    if (after !== undefined && compareByteOrder(through, after) <= 0) continue;
    const unzipped = createGunzip();
    const read = pipeline(await requireStream(store, object), unzipped);
    for await (const line of readLines(unzipped)) {
      const entry = CoveredVersion.parse(JSON.parse(line));
      if (after === undefined || compareByteOrder(entry.key, after) > 0) yield entry;
    }
    await read;
  }
}

async function publish(store: ObjectStore, key: string, slices: readonly Slice[]): Promise<void> {
  if ((await store.describe(key)) !== undefined) return;
  const [first, ...more] = slices;
  if (first !== undefined && more.length === 0)
    await store.copy({ bucket: store.bucket, key: first.object }, key);
  else await store.writeStream(key, concatenate(store, slices));
}

/** Members of gzip in a row are gzip, and lines in a row are lines. */
async function* concatenate(store: ObjectStore, slices: readonly Slice[]): AsyncGenerator<Uint8Array> {
  for (const { object } of slices) yield* await requireStream(store, object);
}

async function requireStream(store: ObjectStore, key: string) {
  const stored = await store.readStream(key);
  if (stored !== undefined) return stored;
  throw Object.assign(new Error(`s3://${store.bucket}/${key} is not there, though frozen.json names it`), {
    name: 'SliceMissing',
  });
}
