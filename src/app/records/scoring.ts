import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { StoredCellAnswers, StoredCellPairs } from '../../judging/cell-counts.ts';
import { StoredLabelSums } from '../../judging/label-sums.ts';
import { Exemplar } from '../../metric/exemplar.ts';
import { Flip } from '../../metric/flip.ts';
import { StoredPairTally } from '../../metric/pair-tally.ts';
import { StoredTally } from '../../metric/stored-tally.ts';
import { type ConditionName, isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { StoredSlices } from '../../slice/slice-tally.ts';
import { readLines } from '../../text/json-lines.ts';
import { BatchDependence } from '../../transform/batch-dependence.ts';
import { CutterState, Shard } from '../../transform/shard-cutter.ts';
import { jsonDocument } from './document.ts';
import { InputLine, isInputLine, isOptionalText } from './inputs.ts';
import { openRunFile } from './run.ts';

/** Counts that a comparison of manifest, inputs and outputs makes. */
export const ComparisonCounts = z.object({
  inputs: z.int().nonnegative(),
  /** Outputs of inputs that are still what the manifest says. */
  outputs: z.int().nonnegative(),
  /** Output objects, those of changed inputs included. */
  written: z.int().nonnegative(),
  /** Output objects between the first and the last key of the last attempt that belong to its part. */
  writtenOfLast: z.int().nonnegative(),
  /** Inputs of the run's round that were sent, are unchanged, and have no output. */
  missing: z.int().nonnegative(),
  changed: z.int().nonnegative(),
});
export type ComparisonCounts = z.infer<typeof ComparisonCounts>;

/** How far a comparison has come. Slices have names of their own, so two invocations at once cannot spoil each other's. */
const ComparisonProgress = z.object({
  schema: z.literal(1),
  isDone: z.boolean(),
  /** Bytes of the manifest that are compared. */
  manifestBytes: z.int().nonnegative(),
  place: z.object({ outputsAfter: z.string().optional(), foreign: z.array(z.string()).readonly() }),
  counts: ComparisonCounts,
  cutter: CutterState,
  slices: z.array(z.string()),
  /** The reason that the lines so far give for inputs that no job was started for. */
  undone: z.string().optional(),
});
export type ComparisonProgress = z.infer<typeof ComparisonProgress>;

/** Written by reconcile-outputs after each slice of `reconciled.jsonl`, for each attempt on its own. */
export const comparisonProgress = jsonDocument({
  key: bucketLayout.comparisonProgress,
  schema: ComparisonProgress,
  write: 'replace',
  indent: 2,
});

/** A line of `reconciled.jsonl`: an input with the key of its output, or with the reason why it has none. */
const ReconciledLine = InputLine.omit({ empty: true, defect: true }).extend({
  output: z.string().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
});

/** An input with the key of its output, or with the reason why it has none. */
export interface ReconciledEntry extends Input {
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly detail?: string | undefined;
}

/** A line without its end. */
export function parseReconciled(line: string): ReconciledEntry {
  const { key, etag, ...rest } = ReconciledLine.parse(JSON.parse(line));
  return { name: key, content: etag, ...rest };
}

/** A line with its end. */
export function toReconciledLine(entry: ReconciledEntry): string {
  const { name: key, size, content: etag, lastModified, member, label, output, error, detail } = entry;
  return `${JSON.stringify({ key, size, etag, lastModified, member, label, output, error, detail })}\n`;
}

/**
 * The inputs of a run, in the order of their keys; with `error`, those with this reason alone.
 *
 * @throws `RunFileMissing`
 */
export async function* readReconciled(
  store: ObjectStore,
  run: RunParts,
  error?: string,
): AsyncGenerator<ReconciledEntry> {
  for await (const line of readLines(await openRunFile(store, bucketLayout.reconciled(run)))) {
    // Nearly all lines are of inputs with an output: they need not be parsed to find those with a reason.
    if (line === '' || (error !== undefined && !line.includes(`"${error}"`))) continue;
    const entry = parseReconciled(line);
    if (error === undefined || entry.error === error) yield entry;
  }
}

/** The fields of a line of `reconciled.jsonl` that folding needs. */
export type ShardEntry = Omit<ReconciledEntry, 'lastModified'>;

/**
 * The entries whose lines lie in a range of bytes, `end` exclusive; undefined if the file is not there. Each is read
 * when an iteration reaches it: thousands in memory would only burden the garbage collector.
 */
export async function readShardEntries(
  store: ObjectStore,
  run: RunParts,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Iterable<ShardEntry> | undefined> {
  if (start === end) return [];
  const file = bucketLayout.reconciled(run);
  const bytes = await store.readBytes(file, { start, end });
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  return { [Symbol.iterator]: () => entriesOf(text, file) };
}

function* entriesOf(text: string, file: string): Generator<ShardEntry> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (end > start) yield parseEntry(text.slice(start, end), file);
    start = end + 1;
  }
}

function parseEntry(line: string, file: string): ShardEntry {
  const value: unknown = JSON.parse(line);
  if (isLine(value)) {
    const { key, size, etag, output, error, detail, member, label } = value;
    return { name: key, size, content: etag, output, error, detail, member, label };
  }
  throw new TypeError(`${file} must have an entry in each line, has ${line}`);
}

function isLine(value: unknown): value is z.infer<typeof ReconciledLine> {
  return (
    isInputLine(value) &&
    isOptionalText('output' in value ? value.output : undefined) &&
    isOptionalText('error' in value ? value.error : undefined) &&
    isOptionalText('detail' in value ? value.detail : undefined)
  );
}

/** Ranges of reconciled.jsonl, each folded by one Lambda; also the items of the Distributed Map. */
export const shardsJson = jsonDocument({
  key: bucketLayout.shards,
  schema: z.array(Shard).readonly(),
  write: 'replace',
  indent: 2,
});

const Count = z.int().nonnegative();

/** An input, or one of its records, without a usable prediction. */
export const Failure = z.object({
  key: z.string(),
  recordIndex: Count.nullable(),
  reason: z.string(),
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** `fold/<shard>.json`: what FoldPredictions leaves for WriteReport. */
export const ShardTally = z.object({
  schema: z.literal(1),
  shard: Count,
  tally: StoredTally,
  /** The inputs of it that the gate judges; absent if it judges all. */
  judged: StoredTally.optional(),
  failures: z.array(Failure),
  /** Records that stand for the cells of the matrix. */
  exemplars: z.array(Exemplar),
  /**
   * The sums that the search for labels worth a look needs, over the records that the gate judges, and the number of mistakes in the
   * shard's file of mistakes.
   */
  labels: z.object({ sums: StoredLabelSums, mistakes: Count }),
  /** Right answers by slice, of the records that the gate judges; absent where the plan has no dimensions. */
  slices: StoredSlices.optional(),
  /** Answers by the cell of the lottery; absent where the run has no rounds. */
  draws: StoredCellAnswers.optional(),
  /** The same inputs against the baseline; absent where the run has no rounds or no baseline. */
  pairedDraws: StoredCellPairs.optional(),
  /** Comparison with the baseline run; absent without one. */
  comparison: z.object({ tally: StoredPairTally, flips: Count, topFlips: z.array(Flip) }).optional(),
  /** Statements of the bundles that hold the answers of the shard; without bundles no answer depends on another. */
  dependence: BatchDependence,
});
export type ShardTally = z.infer<typeof ShardTally>;

/** Written by the Lambda that folds the shard; a retry replaces it. */
export const tallyJson = jsonDocument({ key: bucketLayout.tally, schema: ShardTally, write: 'replace' });

const FoldFailure = z.object({ schema: z.literal(1), error: z.string(), cause: z.string() });

/**
 * Why a shard could not be folded: a Distributed Map reports to its parent only that children failed. The first shard's reason is
 * kept.
 */
export const foldFailureJson = jsonDocument({
  key: bucketLayout.foldFailure,
  schema: FoldFailure,
  write: 'once',
});

/** Errors that no retry removes, and that the author of pipeline.json can correct. */
const TOLD = [
  'ClassCountMismatch',
  'TooManyLabels',
  'LabelFileUnreadable',
  'RunFileMissing',
  'BaselineMissing',
  'StoredByEarlierBuild',
] as const satisfies readonly ConditionName[];

/** Stores the reason of a shard's failure. */
export async function storeFoldFailure(store: ObjectStore, run: RunParts, error: unknown): Promise<void> {
  if (!isCondition(error, ...TOLD)) return;
  await foldFailureJson(run).create(store, { schema: 1, error: error.name, cause: error.message });
}
