import * as z from 'zod';
import { MAX_CLASSES } from './confusion-counts.ts';
import { mergeSum } from './exact-sum.ts';
import { compareExemplars, Exemplar, MAX_EXEMPLARS } from './exemplar.ts';
import { CountPacker, unpackCounts } from './packed-counts.ts';
import { mergePacked, packSparse } from './sparse-counts.ts';
import type { Tally } from './tally.ts';

const Count = z.int().nonnegative();
const Sum = z.object({ high: z.number(), low: z.number() });

/** A shard's tally as stored in the bucket. Long lists of counts are packed, see `CountPacker`. */
export const StoredTally = z.object({
  schema: z.literal(1),
  /** Number of classes that the pipeline lists. */
  listed: Count,
  /** Labels met outside the list; their ids follow the listed ones. */
  unlisted: z.array(z.string()),
  classOffset: z.int(),
  inputs: Count,
  predicted: Count,
  labeled: Count,
  correct: Count,
  confusion: z.string(),
  unlabeled: z.string(),
  ranked: Count,
  ranks: z.string(),
  distributions: Count,
  logLoss: Sum,
  brier: Sum,
  /** The bins of each binning, one binning after the other; a run has the same binnings in all shards. */
  calibration: z.array(z.object({ count: Count, correct: Count, confidence: Sum })),
  rightConfidence: Sum,
  wrongConfidence: Sum,
  rightHistogram: z.array(Count),
  wrongHistogram: z.array(Count),
  allScores: z.string(),
  trueScores: z.string(),
  /** Null if there are too many. */
  exactScores: z.string().nullable(),
  errors: z.array(z.tuple([z.string(), Count])),
  mistakes: z.array(Exemplar),
});
export type StoredTally = z.infer<typeof StoredTally>;

/** The form of a tally that is stored as JSON; counts are packed. */
export function toStoredTally(tally: Tally): StoredTally {
  const { classes, ...rest } = tally;
  return {
    ...rest,
    schema: 1,
    calibration: [...tally.calibration],
    listed: classes.listed,
    unlisted: [...classes.unlisted],
    confusion: packSparse(tally.confusion),
    unlabeled: packSparse(tally.unlabeled),
    ranks: packSparse(tally.ranks),
    allScores: packDense(tally.allScores.counts),
    trueScores: packSparse(tally.trueScores),
    exactScores: tally.exactScores.pack(),
    errors: [...tally.errors],
  };
}

/**
 * Adds a stored tally to one in memory. Counts do not depend on the order; ids of unlisted labels may. Returns the ids
 * in memory of the stored tally's classes.
 *
 * @throws {RangeError} if the tallies are of different class lists
 */
export function mergeStored(into: Tally, from: StoredTally): (id: number) => number {
  if (from.listed !== into.classes.listed || from.classOffset !== into.classOffset) {
    throw new RangeError(`Cannot merge tallies of ${into.classes.listed} and ${from.listed} classes`);
  }
  const unlisted = from.unlisted.map((name) => into.classes.add(name));
  const toId = (id: number): number => (id < from.listed ? id : (unlisted[id - from.listed] ?? id));
  const toPair = (pair: number): number =>
    toId(Math.floor(pair / MAX_CLASSES)) * MAX_CLASSES + toId(pair % MAX_CLASSES);
  into.inputs += from.inputs;
  into.predicted += from.predicted;
  into.labeled += from.labeled;
  into.correct += from.correct;
  into.ranked += from.ranked;
  into.distributions += from.distributions;
  mergePacked(into.confusion, from.confusion, from.unlisted.length === 0 ? undefined : toPair);
  mergePacked(into.unlabeled, from.unlabeled, toId);
  mergePacked(into.ranks, from.ranks);
  mergePacked(into.trueScores, from.trueScores);
  into.exactScores.merge(from.exactScores);
  const { counts } = into.allScores;
  unpackCounts(from.allScores, (cell, times) => {
    counts[cell] = (counts[cell] ?? 0) + times;
  });
  mergeSum(into.logLoss, from.logLoss);
  mergeSum(into.brier, from.brier);
  mergeSum(into.rightConfidence, from.rightConfidence);
  mergeSum(into.wrongConfidence, from.wrongConfidence);
  for (const [place, bin] of into.calibration.entries()) {
    const other = from.calibration[place];
    if (other === undefined) continue;
    bin.count += other.count;
    bin.correct += other.correct;
    mergeSum(bin.confidence, other.confidence);
  }
  addInto(into.rightHistogram, from.rightHistogram);
  addInto(into.wrongHistogram, from.wrongHistogram);
  for (const [reason, times] of from.errors) into.errors.set(reason, (into.errors.get(reason) ?? 0) + times);
  into.mistakes = [...into.mistakes, ...from.mistakes].sort(compareExemplars).slice(0, MAX_EXEMPLARS);
  return toId;
}

function addInto(into: number[], from: readonly number[]): void {
  for (const [place, value] of from.entries()) into[place] = (into[place] ?? 0) + value;
}

function packDense(counts: Uint32Array): string {
  const packer = new CountPacker();
  addAll(packer, counts);
  return packer.finish();
}

/**
 * Adds all counts in a loop of its own: V8 deoptimizes code that was compiled in the middle of a loop as soon as it reaches
 * the code after it.
 */
function addAll(packer: CountPacker, counts: Uint32Array): void {
  for (let index = 0; index < counts.length; index++) {
    const times = counts[index] ?? 0;
    if (times > 0) packer.add(index, times);
  }
}
