import type { ObjectStore } from '../../aws/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { partOfEntry } from '../../plan/part-of-entry.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { chunkManifest, placeAfter } from '../../transform/manifest-chunk.ts';
import { reconcileChunk, type ReconcileContext, type Reconciled } from '../../transform/reconcile-chunk.ts';
import { SHARD_BOUNDS, ShardCutter } from '../../transform/shard-cutter.ts';
import { type ComparisonCounts, type ComparisonProgress, comparisonProgress } from '../records/comparison.ts';
import { readManifest } from '../records/manifest.ts';
import { type ReconciledEntry, toReconciledLine } from '../records/reconciled.ts';
import { shardsJson } from '../records/shards.ts';
import { listChunk } from './list-chunk.ts';

/** Listing a chunk takes about 20 requests; as many chunks are under way as keep one processor busy. */
const CHUNK_ENTRIES = 10_000;
const CONCURRENT_CHUNKS = 4;
/** Above the 5 MiB from which S3 joins objects by itself; some 30,000 inputs. */
const SLICE_BYTES = 8 * 2 ** 20;
/** A Lambda has 15 minutes: what remains is for joining the slices and for the inputs of a further attempt. */
const BUDGET_MS = 600_000;

/** What a comparison has come to. */
export type Comparison = ComparisonCounts & { readonly shards: number };

const NONE = { inputs: 0, outputs: 0, written: 0, writtenOfLast: 0, missing: 0, changed: 0 };

/** What is compared, and what is said of inputs without an output. */
export interface ComparisonSources {
  readonly run: RunParts;
  readonly plan: Plan;
  /** The attempt that has ended last. */
  readonly last: JobRecord;
  /** Why no further job starts, where that is known. */
  readonly undone: string | undefined;
  /** What is said of an input that was sent and has no output. */
  readonly detail: (undone: string | undefined) => string;
  /** False where the caller cannot come again: then the comparison is done in one go. */
  readonly isResumable: boolean;
}

export interface CompareRunServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  /** A name that no other invocation has, made of letters, digits and dashes. */
  readonly newId: () => string;
  readonly settings?: {
    /** After so long a comparison is left for the next invocation; default 10 minutes. */
    readonly budgetMs?: number;
    /** Manifest entries that are compared at once; default 10,000. */
    readonly chunkEntries?: number;
    /** Bytes from which lines are stored; default 8 MiB. */
    readonly sliceBytes?: number;
  };
}

/**
 * Writes reconciled.jsonl and shards.json: manifest, current inputs and outputs in one pass, in bounded memory.
 *
 * When the time is up it returns `unfinished`, and the next call for the same attempt goes on after the last slice.
 *
 * @throws {OutputLayoutUnexpected}
 */
export async function compareRun(
  { run, plan, last, undone, detail, isResumable }: ComparisonSources,
  { store, clock, newId, settings = {} }: CompareRunServices,
): Promise<Comparison | 'unfinished'> {
  const deadline = isResumable ? clock().getTime() + (settings.budgetMs ?? BUDGET_MS) : Infinity;
  const folder = bucketLayout.comparison(run, last.attempt);
  const progressJson = comparisonProgress(run, last.attempt);
  const begun = await progressJson.read(store);
  // A run that waited in vain for an instance comes once more for the same attempt, and now knows why work is left undone.
  const isOutdated = begun?.isDone === true && begun.undone === undefined && undone !== undefined;
  const progress = begun === undefined || isOutdated ? { ...BEGINNING, undone } : begun;
  if (progress.isDone) return { ...progress.counts, shards: progress.cutter.shards.length };

  const context: ReconcileContext = {
    inputPrefix: plan.input.prefix,
    outputPrefix: bucketLayout.predictions(run),
    largestAllowedBytes: plan.transform.largestAllowedBytes,
    partOf: partOfEntry(plan),
    lastPart: last.part,
  };
  const said = { detail: detail(progress.undone), undone: progress.undone };
  const cutter = new ShardCutter(
    plan.run,
    { ...SHARD_BOUNDS, inputs: plan.limits.inputsPerShard },
    progress.cutter,
  );
  const counts = { ...progress.counts };
  const slices = [...progress.slices];
  let { manifestBytes } = progress;
  let lines: string[] = [];
  let bytes = 0;

  const add = (reconciled: Reconciled): void => {
    const line = toReconciledLine(toEntry(reconciled, said));
    const lineBytes = Buffer.byteLength(line);
    lines.push(line);
    bytes += lineBytes;
    cutter.add(lineBytes, reconciled.output?.bytes ?? 0);
    counts.inputs += 1;
    if (reconciled.output !== undefined) counts.outputs += 1;
    if (reconciled.isWritten) {
      counts.written += 1;
      if (isWithin(reconciled.entry, last) && context.partOf(reconciled.entry) === last.part)
        counts.writtenOfLast += 1;
    }
    if (reconciled.error === 'model-error') counts.missing += 1;
    if (reconciled.error === 'superseded' || reconciled.error === 'deleted') counts.changed += 1;
  };
  const storeSlice = async (): Promise<void> => {
    const slice = `${folder}${newId()}.jsonl`;
    await store.write(slice, lines.join(''), LINES);
    slices.push(slice);
    [lines, bytes] = [[], 0];
  };
  const keep = (isDone: boolean, place: ComparisonProgress['place']): Promise<void> =>
    progressJson.write(store, {
      schema: 1,
      isDone,
      manifestBytes,
      place,
      counts,
      cutter: cutter.state,
      slices,
      undone: progress.undone,
    });

  const manifest = readManifest(store, bucketLayout.manifest(run), manifestBytes);
  const { outputsAfter, foreign } = progress.place;
  const chunks = chunkManifest(manifest, settings.chunkEntries ?? CHUNK_ENTRIES, context, {
    outputsAfter,
    foreign,
  });
  const compared = inOrder(chunks, CONCURRENT_CHUNKS, async (chunk) =>
    reconcileChunk(
      chunk,
      await listChunk(store, chunk, { ...context, inputBucket: plan.input.bucket }),
      context,
    ),
  );
  for await (const [chunk, { inputs, unexplained }] of compared) {
    if (unexplained !== undefined) throw unexpectedLayout(unexplained, context, plan);
    for (const reconciled of inputs) add(reconciled);
    manifestBytes = chunk.entries.at(-1)?.end ?? manifestBytes;
    // The last chunk is stored below.
    if (bytes < (settings.sliceBytes ?? SLICE_BYTES) || chunk.outputsThrough === undefined) continue;
    await storeSlice();
    await keep(false, placeAfter(chunk));
    if (clock().getTime() >= deadline) return 'unfinished';
  }

  const shards = cutter.finish();
  if (slices.length === 0) await store.write(bucketLayout.reconciled(run), lines.join(''), LINES);
  else {
    await storeSlice();
    await store.join(slices, bucketLayout.reconciled(run), LINES);
  }
  await shardsJson(run).write(store, shards);
  // A short comparison is repeated sooner than its result is read.
  if (slices.length > 0) await keep(true, { foreign: [] });
  return { ...counts, shards: shards.length };
}

const LINES = { contentType: 'application/jsonlines' };
const BEGINNING: ComparisonProgress = {
  schema: 1,
  isDone: false,
  manifestBytes: 0,
  place: { foreign: [] },
  counts: NONE,
  cutter: { shards: [], start: 0, end: 0, inputs: 0, outputBytes: 0 },
  slices: [],
};

/** Whether the job's key range holds the key: cheaper to decide than the key's part. */
function isWithin({ key }: { readonly key: string }, { firstKey, lastKey }: JobRecord): boolean {
  return compareByteOrder(key, firstKey) >= 0 && compareByteOrder(key, lastKey) <= 0;
}

function toEntry(
  { entry: { key, size, etag, lastModified }, output, error, detail }: Reconciled,
  common: { readonly detail: string; readonly undone: string | undefined },
): ReconciledEntry {
  const about = { key, size, etag, lastModified };
  if (output !== undefined) return { ...about, output: output.key };
  const reason = error ?? 'model-error';
  const why =
    reason === 'not-attempted' ? (common.undone ?? 'no job was started for it') : (detail ?? common.detail);
  return { ...about, error: reason, detail: why };
}

function unexpectedLayout(key: string, { outputPrefix }: ReconcileContext, { input }: Plan): Condition {
  return new Condition(
    'OutputLayoutUnexpected',
    `${key} is the output of no input: outputs must be ${outputPrefix}<key below s3://${input.bucket}/${input.prefix}>.out. ` +
      'Nothing has been scored, since labels could be given to the wrong files',
  );
}
