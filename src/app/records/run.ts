import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { eachOf } from '../../concurrency/each-of.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { DropProblem, type Frozen } from '../../drop/frozen.ts';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { readLineBatches } from '../../text/json-lines.ts';
import { jsonDocument } from './document.ts';

/**
 * Opens a file that an earlier step wrote and that may be long, from a place in it on.
 *
 * @throws `RunFileMissing`
 */
export async function openRunFile(
  store: ObjectStore,
  key: string,
  start = 0,
): Promise<AsyncIterable<Uint8Array>> {
  const end = start === 0 ? undefined : (await store.describe(key))?.size;
  const stream = await store.readStream(key, end === undefined ? undefined : { start, end });
  if (stream !== undefined) return stream;
  throw new Condition(
    'RunFileMissing',
    `${key} is not there: an earlier step of the run must have written it`,
  );
}

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

/** Items made of the JSON values of a file of lines, each with the place in bytes that follows it, in batches. */
export async function* readPlaced<Item>(
  store: ObjectStore,
  key: string,
  start: number,
  toItem: (value: unknown, end: number) => Item,
): AsyncGenerator<readonly Item[]> {
  let end = start;
  for await (const lines of readLineBatches(await openRunFile(store, key, start))) {
    const items: Item[] = [];
    for (const { line, bytes } of lines) {
      end += bytes;
      if (line !== '') items.push(toItem(JSON.parse(line), end));
    }
    yield items;
  }
}

/** `problems.json`: everything that keeps a run from starting. */
const Problems = z.object({ schema: z.literal(1), problems: z.array(DropProblem).readonly() });

/** `problems.json`: everything that PlanRun refused a run for. */
export const problemsJson = jsonDocument({
  key: bucketLayout.problems,
  schema: Problems,
  write: 'replace',
  indent: 2,
});

/** `message.json`: claimed before the message is sent, and complete with an id after. */
const StoredMessage = z.object({
  schema: z.literal(1),
  subject: z.string(),
  body: z.string(),
  attributes: z.record(z.string(), z.string()),
  claimedAt: z.iso.datetime(),
  messageId: z.string().optional(),
  sentAt: z.iso.datetime().optional(),
  /** It's not sent: a later message counts it along with others. */
  isJoined: z.boolean().optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

/** Its creation is the claim; the holder of the claim, or a later one that finds it expired, overwrites it. */
export const messageJson = jsonDocument({
  key: bucketLayout.message,
  schema: StoredMessage,
  write: 'exchange',
});

/** `ended.json`: the run is over and its message sent, so that the next generation may freeze. */
const Ended = z.object({ schema: z.literal(1), run: RunId, status: z.string(), endedAt: z.iso.datetime() });

/** How a run ended; its creation frees what waits for the end. */
export const endedJson = jsonDocument({ key: bucketLayout.ended, schema: Ended, write: 'once' });

/** Marks a run as ended, unless it is marked. */
export async function markEnded(store: ObjectStore, run: RunParts, status: string, at: Date): Promise<void> {
  await endedJson(run).create(store, { schema: 1, run: toRunId(run), status, endedAt: at.toISOString() });
}
