import { pipeline } from 'node:stream/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { ObjectInfo, ObjectStore } from '../../aws/s3/object-store.ts';
import type { CoveredEntry } from '../../drop/covered-merge.ts';
import { dropFileKeys } from '../../drop/drop-key.ts';
import { CoveredVersion, Frozen, Slice } from '../../drop/frozen.ts';
import { HiddenFiles } from '../../drop/hidden-files.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DropParts, RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { readLines } from '../../text/json-lines.ts';
import { jsonDocument } from './document.ts';

/** `pulse`: its LastModified is when the newest upload to the drop was accepted. */
const Pulse = z.object({
  schema: z.literal(1),
  /** The generation that the last batch saw shut, so that a drop with thousands of them needs one page of a listing. */
  shut: z.string().optional(),
});

/** Written by accept-drop for each batch with an upload that no listing covers yet, even if its content stays the same. */
export const pulseMark = jsonDocument({ key: bucketLayout.pulse, schema: Pulse, write: 'replace' });

/** `freezing`: a generation's files are being listed; files uploaded from now on may belong to the next. */
const FreezingMark = z.object({
  schema: z.literal(1),
  run: z.string(),
  executionArn: z.string(),
  at: z.iso.datetime(),
  /** Whether files still arrived after drop.maxWaitMinutes. */
  isCut: z.boolean(),
});

/** A rerun, which waits for nothing, has no mark. */
export const freezingMark = jsonDocument({ key: bucketLayout.freezing, schema: FreezingMark, write: 'once' });

/** The files that a generation took in, or the fact that it took in none. */
export const frozenJson = jsonDocument({ key: bucketLayout.frozen, schema: Frozen, write: 'once' });

/** Writes `frozen.json` unless it exists, and returns the stored one. */
export async function freezeOnce(store: ObjectStore, run: RunParts, frozen: Frozen): Promise<Frozen> {
  if (await frozenJson(run).create(store, frozen)) return frozen;
  return (await frozenJson(run).read(store)) ?? frozen;
}

/** Inputs that `job.json` states, and the version of `job.json` that did. */
const StatedInput = z.object({ field: z.string(), uri: z.string(), statedBy: CoveredVersion });
export type StatedInput = z.infer<typeof StatedInput>;

/** How far a listing has come. Slices have names of their own, so two invocations at once cannot spoil each other's. */
const ListingProgress = z.object({
  schema: z.literal(1),
  stated: StatedInput.optional(),
  /** Slices that covered the drop's files when the listing began. */
  before: z.array(Slice).readonly(),
  after: z.string().optional(),
  totals: Frozen.pick({
    objects: true,
    bytes: true,
    largestObjectBytes: true,
    emptyObjects: true,
    tars: true,
  }),
  manifestSlices: z.array(Slice),
  coveredSlices: z.array(Slice),
  hidden: HiddenFiles,
});
export type ListingProgress = z.infer<typeof ListingProgress>;

/** Written by settle-drop after each slice of a listing. */
export const listingProgress = jsonDocument({
  key: bucketLayout.freezeProgress,
  schema: ListingProgress,
  write: 'replace',
});

/** Stores a slice of a drop's earlier files: lines of {@link CoveredVersion}, under a name that is never used again. */
export async function writeCovered(store: ObjectStore, object: string, lines: string): Promise<void> {
  await store.write(object, gzipSync(lines), { contentType: 'application/gzip' });
}

/**
 * The covered entries after a key, slice by slice: earlier slices are not even read.
 *
 * @throws `SliceMissing`
 */
export async function* readCovered(
  store: ObjectStore,
  slices: readonly Slice[],
  after: string | undefined,
): AsyncGenerator<CoveredEntry> {
  for (const { object, through } of slices) {
    if (after !== undefined && compareByteOrder(through, after) <= 0) continue;
    const unzipped = createGunzip();
    const read = pipeline(await openSlice(store, object), unzipped);
    for await (const line of readLines(unzipped)) {
      const entry = CoveredVersion.parse(JSON.parse(line));
      if (after === undefined || compareByteOrder(entry.key, after) > 0) yield entry;
    }
    await read;
  }
}

async function openSlice(store: ObjectStore, key: string) {
  const stored = await store.readStream(key);
  if (stored !== undefined) return stored;
  throw new Condition(
    'SliceMissing',
    `s3://${store.bucket}/${key} is not there, though frozen.json names it`,
  );
}

/** A job.json that lists 10,000 classes has half of it. */
export const MAX_JOB_BYTES = 1_000_000;

/**
 * The text of a drop's job.json, from the first of the places where it may lie. One that is longer than `MAX_JOB_BYTES` is
 * not read: reading it, and reporting its problems, would outlast a Lambda.
 */
export async function readJobFile(
  store: ObjectStore,
  drop: DropParts,
): Promise<{ readonly text: string } | { readonly bytes: number } | undefined> {
  const found = await atFirstPlace(drop, 'job.json', (key) => store.describe(key));
  if (found === undefined) return undefined;
  if (found.size > MAX_JOB_BYTES) return { bytes: found.size };
  const text = await store.readText(found.key);
  return text === undefined ? undefined : { text };
}

/** The place where a drop has such a file, or would have it, and the object that is there now. */
export async function findDropFile(
  store: ObjectStore,
  drop: DropParts,
  name: string,
): Promise<{ readonly key: string; readonly found: ObjectInfo | undefined }> {
  const found = await atFirstPlace(drop, name, (key) => store.describe(key));
  const [first = ''] = dropFileKeys(drop, name);
  return { key: found?.key ?? first, found };
}

/** Whether a drop has such a file. */
export async function hasDropFile(store: ObjectStore, drop: DropParts, name: string): Promise<boolean> {
  return (await atFirstPlace(drop, name, (key) => store.describe(key))) !== undefined;
}

async function atFirstPlace<T>(
  drop: DropParts,
  name: string,
  ask: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const key of dropFileKeys(drop, name)) {
    const found = await ask(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
