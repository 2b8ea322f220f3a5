import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { StoredCellAnswers, StoredCellPairs, StoredCellParts } from '../../judging/cell-counts.ts';
import { StoredLabelSums } from '../../judging/label-sums.ts';
import { StoredLedger } from '../../judging/ledger.ts';
import { LabelChanges } from '../../label/label-changes.ts';
import { BlindReview } from '../../metric/blind-review.ts';
import { Exemplar } from '../../metric/exemplar.ts';
import { Flip } from '../../metric/flip.ts';
import { StoredPairTally } from '../../metric/pair-tally.ts';
import { StoredTally } from '../../metric/stored-tally.ts';
import { type ConditionName, isCondition } from '../../problem/conditions.ts';
import { ReportFailure } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { StoredSlices } from '../../slice/slice-tally.ts';
import { BatchDependence } from '../../transform/batch-dependence.ts';
import { CutterState, Shard } from '../../transform/shard-cutter.ts';
import { jsonDocument } from './document.ts';

/** Counts that a comparison of manifest, inputs and outputs makes. */
export const ComparisonCounts = z.object({
  inputs: z.int().nonnegative(),
  /** Outputs of inputs that are still what the manifest says. */
  outputs: z.int().nonnegative(),
  /** Output objects, those of changed inputs included. */
  written: z.int().nonnegative(),
  /** Output objects between the first and the last key of the last attempt that belong to its part. */
  writtenOfLast: z.int().nonnegative(),
  /** Inputs of the run's round that were sent, are unchanged, and have no output, but may have one. */
  missing: z.int().nonnegative(),
  /** Words of the model about the first input that it refused for good; absent without one. */
  refusal: z.string().optional(),
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

/** Ranges of reconciled.jsonl, each folded by one Lambda; also the items of the Distributed Map. */
export const shardsJson = jsonDocument({
  key: bucketLayout.shards,
  schema: z.array(Shard).readonly(),
  write: 'replace',
  indent: 2,
});

const Count = z.int().nonnegative();

/** Sums of a shard that its gate is judged by. */
export const ShardSums = z.object({
  tally: StoredTally,
  ledger: StoredLedger,
  /** Right answers by slice, of the records that the gate judges; absent where the plan has no dimensions. */
  slices: StoredSlices.optional(),
  /** Answers by the cell of the lottery; absent where the run has no rounds. */
  draws: StoredCellAnswers.optional(),
  /** The same inputs by the classes and slices that have a bound; absent where the run has no rounds. */
  partDraws: StoredCellParts.optional(),
  /** The same inputs against the baseline; absent where the run has no rounds or no baseline. */
  pairedDraws: StoredCellPairs.optional(),
  /** Comparison with the baseline run; absent without one. */
  comparison: z.object({ tally: StoredPairTally, flips: Count, topFlips: z.array(Flip) }).optional(),
});
export type ShardSums = z.infer<typeof ShardSums>;

/** `fold/<shard>.json`: what FoldPredictions leaves for WriteReport. */
export const ShardTally = ShardSums.extend({
  schema: z.literal(1),
  shard: Count,
  failures: z.array(ReportFailure),
  /** Records that stand for the cells of the matrix. */
  exemplars: z.array(Exemplar),
  /**
   * The sums that the search for labels worth a look needs, over the records that the gate judges, and the number of mistakes in the
   * shard's file of mistakes.
   */
  labels: z.object({ sums: StoredLabelSums, mistakes: Count }),
  /** Labels that earlier runs had for the same inputs, compared with those of now; absent if the plan names no such run. */
  labelChanges: LabelChanges.optional(),
  /** Blind reviews of the predictions of the shard, next to `labelChanges`. */
  blindReview: BlindReview.optional(),
  /** The sums by the labels before; absent if they are the same. */
  before: ShardSums.optional(),
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
