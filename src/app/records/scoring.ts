import * as z from 'zod';
import { StoredCellAnswers, StoredCellPairs, StoredCellParts } from '../../judging/cell-counts.ts';
import { StoredLabelSums } from '../../judging/label-sums.ts';
import { StoredLedger } from '../../judging/ledger.ts';
import { LabelChanges } from '../../label/label-changes.ts';
import { BlindReview } from '../../metric/blind-review.ts';
import { Exemplar } from '../../metric/exemplar.ts';
import { Flip } from '../../metric/flip.ts';
import { StoredPairTally } from '../../metric/pair-tally.ts';
import { StoredTally } from '../../metric/stored-tally.ts';
import { ReportFailure } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { StoredSlices } from '../../slice/slice-tally.ts';
import { ShownAnswer } from '../../tasks/shown-answers.ts';
import { BatchDependence } from '../../transform/batch-dependence.ts';
import { jsonDocument } from './document.ts';

const Count = z.int().nonnegative();

/** Sums of a shard that its gate is judged by. */
export const ShardSums = z.object({
  tally: StoredTally,
  ledger: StoredLedger,
  /** Right answers by slice, among the records that the gate judges; absent if the plan has no dimensions. */
  slices: StoredSlices.optional(),
  /** Answers by the cell of the lottery; absent if the run has no rounds. */
  draws: StoredCellAnswers.optional(),
  /** The same inputs by the classes and slices that have a bound; absent if the run has no rounds. */
  partDraws: StoredCellParts.optional(),
  /** The same inputs against the baseline; absent if the run has no rounds or no baseline. */
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
  /** Answers for the report of a run that nobody judges. */
  answers: z.array(ShownAnswer),
  /**
   * The sums that the search for labels worth a look needs, over the records that the gate judges, and the number of mistakes in the
   * shard's file of mistakes.
   */
  labels: z.object({ sums: StoredLabelSums, mistakes: Count }),
  /** Labels that earlier runs had for the same inputs, compared with today's; absent if the plan names no such run. */
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
