import { inOrder } from '../../concurrency/in-order.ts';
import { type Input, objectOf } from '../../input/input.ts';
import { partOfEntry } from '../../plan/part-of-entry.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { reconcileChunk, type ReconcileContext } from '../../transform/reconcile-chunk.ts';
import { BUNDLE_TYPES } from '../../transform/request-limits.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { type ComparisonProgress, comparisonProgress } from '../records/comparison.ts';
import { listInputs } from '../records/current-inputs.ts';
import { readInputs } from '../records/inputs.ts';
import {
  type Comparison,
  type LineSources,
  ReconciledWriter,
  type WriterServices,
} from './reconciled-writer.ts';

/** Listing a chunk takes about 20 requests; as many chunks are under way as keep one processor busy. */
const CHUNK_ENTRIES = 10_000;
const CONCURRENT_CHUNKS = 4;
/** Above the 5 MiB from which S3 can join objects itself; some 30,000 inputs. */
const SLICE_BYTES = 8 * 2 ** 20;
/** A Lambda has 15 minutes: the rest is for joining the slices and writing the inputs of a further attempt. */
const BUDGET_MS = 600_000;

/** Scope of the comparison. */
interface ComparisonSources extends LineSources {
  /** Why no further job starts, if that is known. */
  readonly undone: string | undefined;
}

/** Services of the comparison; only tests pass `settings`. */
export interface CompareRunServices extends WriterServices {
  readonly clock: () => Date;
  readonly settings?: {
    /** Time after which the rest of a comparison is left to the next invocation; default 10 minutes. */
    readonly budgetMs?: number;
    /** Manifest entries in a chunk; default 10,000. */
    readonly chunkEntries?: number;
    /** Bytes of lines after which a slice is stored; default 8 MiB. */
    readonly sliceBytes?: number;
  };
}

/**
 * Writes reconciled.jsonl and shards.json: manifest, current inputs and outputs in one pass, in bounded memory.
 *
 * When the time is up it returns `unfinished`, and the next call for the same attempt continues after the last slice.
 *
 * @throws {OutputLayoutUnexpected}
 */
export async function compareRun(
  sources: ComparisonSources,
  services: CompareRunServices,
): Promise<Comparison | 'unfinished'> {
  const { run, plan, last, undone } = sources;
  const { store, clock, settings = {} } = services;
  const deadline = clock().getTime() + (settings.budgetMs ?? BUDGET_MS);
  const begun = await comparisonProgress(run, last.attempt).read(store);
  // A run that got no instance compares the same attempt a second time, and now knows why inputs are left undone.
  const isOutdated = begun?.isDone === true && begun.undone === undefined && undone !== undefined;
  const progress = begun === undefined || isOutdated ? { ...BEGINNING, undone } : begun;
  if (progress.isDone) return { ...progress.counts, shards: progress.cutter.shards.length };

  const outputs = openOutputs(store, run, plan);
  const context: ReconcileContext = {
    isTooLong: outputs.isTooLong,
    largestAllowedBytes: plan.transform.largestAllowedBytes,
    isBundled: plan.bundle !== null && BUNDLE_TYPES[plan.bundle.form] !== undefined,
    partOf: partOfEntry(plan),
    lastPart: last.part,
  };
  const writer = new ReconciledWriter(services, sources, context.partOf, progress);
  let { manifestBytes } = progress;
  const { outputsAfter, foreign } = progress.place;
  const groups = outputs.groups(
    readInputs(store, run, manifestBytes),
    settings.chunkEntries ?? CHUNK_ENTRIES,
    {
      outputsAfter,
      foreign,
    },
  );
  const source = store.in(plan.input.bucket);
  const compared = inOrder(groups, CONCURRENT_CHUNKS, async (group) => {
    const [{ answers, failures, unexplained }, objects] = await Promise.all([
      group.find(),
      listInputs(source, objectsOf(group.entries), plan.input.prefix),
    ]);
    return { unexplained, inputs: reconcileChunk(group.entries, { answers, failures, objects }, context) };
  });
  for await (const [{ entries, next }, { inputs, unexplained }] of compared) {
    if (unexplained !== undefined) throw unexpectedLayout(unexplained, run, plan);
    for (const reconciled of inputs) writer.add(reconciled);
    manifestBytes = entries.at(-1)?.end ?? manifestBytes;
    // The last group is stored by `finish`.
    const isShort = writer.pendingBytes < (settings.sliceBytes ?? SLICE_BYTES);
    if (isShort || next === undefined) continue;
    await writer.keep(manifestBytes, next);
    if (clock().getTime() >= deadline) return 'unfinished';
  }
  return writer.finish(manifestBytes);
}

/** The objects of some inputs, each once, in the order of their keys, which differs from the order of their members' names. */
function objectsOf(inputs: readonly Input[]): { readonly entries: readonly { readonly key: string }[] } {
  const keys = new Set(inputs.map((input) => objectOf(input).key));
  return { entries: [...keys].sort(compareByteOrder).map((key) => ({ key })) };
}

const BEGINNING: ComparisonProgress = {
  schema: 1,
  isDone: false,
  manifestBytes: 0,
  place: { foreign: [] },
  counts: { inputs: 0, outputs: 0, written: 0, writtenOfLast: 0, missing: 0, changed: 0 },
  cutter: { shards: [], start: 0, end: 0, inputs: 0, outputBytes: 0 },
  slices: [],
};

function unexpectedLayout(key: string, run: RunParts, { input, outputs }: Plan): Condition {
  const why =
    outputs !== 'objects'
      ? `${key} is not the output of a bundle that was sent: it must be named for one below ` +
        `${bucketLayout.bundles(run)}, and answer as many inputs`
      : `${key} is the output of no input: outputs must be ${bucketLayout.predictions(run)}<key below ` +
        `s3://${input.bucket}/${input.prefix}>.out`;
  return new Condition(
    'OutputLayoutUnexpected',
    `${why}. Nothing has been scored, since labels could be given to the wrong files`,
  );
}
