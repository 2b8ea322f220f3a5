import * as z from 'zod';
import type { FilePlace } from '../input/file-place.ts';
import type { Flip } from './flip.ts';
import type { PairedCells } from './paired-change.ts';
import { count, mergePacked, packSparse, type SparseCounts } from './sparse-counts.ts';

const Count = z.int().nonnegative();
/** Cap on the characters of a prediction in a flip; no class has as many. */
const MAX_SHOWN = 300;

/** Sums over the inputs that a shard shares with the baseline run, as stored in the bucket. */
export const StoredPairTally = z.object({
  /** Name of the baseline run. */
  baseline: z.string(),
  inputs: z.object({
    /** Inputs with the same content, under the same name below the drop, or once in both under another one. */
    paired: Count,
    /** Inputs with the same key and other content. */
    changed: Count,
    /** Inputs that the baseline does not have. */
    added: Count,
  }),
  /** Records of paired inputs with another label than in the baseline. */
  relabeled: Count,
  /** Records of paired inputs with a prediction in both runs, only in this one, only in the baseline. */
  answered: Count,
  onlyNow: Count,
  onlyBefore: Count,
  /** Answered records with the same class and the same score to the last bit, and those with the same class. */
  identical: Count,
  sameClass: Count,
  /** Largest difference between the winners' scores where the class is the same. */
  scoreDistance: z.number().nonnegative(),
  /** Labeled records that only one of the runs has answered, or none of them. */
  unanswered: z.object({ gained: Count, lost: Count, count: Count }),
  /** The labeled records of both runs by cluster, answered or not, packed; empty if the run has no clusters. */
  clusters: z.object({ gained: z.string(), lost: z.string(), count: z.string() }),
  /** Counts by name of the true class: right in both, lost, gained, wrong in both. */
  classes: z.array(z.tuple([z.string(), Count, Count, Count, Count])),
});
export type StoredPairTally = z.infer<typeof StoredPairTally>;

type Cells = { -readonly [K in keyof PairedCells]: PairedCells[K] };

/** The tally in memory: it counts records and merges tallies, in any order. */
export interface PairTally extends Omit<StoredPairTally, 'classes' | 'clusters'> {
  readonly classes: Map<string, Cells>;
  readonly clusters: Readonly<Record<'gained' | 'lost' | 'count', SparseCounts>>;
}

/** One record of a paired input. */
interface PairedRecord extends FilePlace {
  readonly truth: string | null;
  /** Bucket of its cluster, if the run has clusters. */
  readonly cluster?: number | undefined;
}

/** One run's answer for one record. */
export interface PairedAnswer {
  /** Null if there is no usable prediction. */
  readonly prediction: string | null;
  readonly score: number | null;
}

/** An empty tally of a comparison with the run `baseline`. */
export function createPairTally(baseline: string): PairTally {
  return {
    baseline,
    inputs: { paired: 0, changed: 0, added: 0 },
    relabeled: 0,
    answered: 0,
    onlyNow: 0,
    onlyBefore: 0,
    identical: 0,
    sameClass: 0,
    scoreDistance: 0,
    unanswered: { gained: 0, lost: 0, count: 0 },
    clusters: { gained: new Map(), lost: new Map(), count: new Map() },
    classes: new Map(),
  };
}

/**
 * Adds one record of a paired input; either side may lack it. Both runs are judged by the truth of this one. Returns the flip
 * where the predictions differ.
 */
export function countPaired(
  tally: PairTally,
  record: PairedRecord,
  before: PairedAnswer | undefined,
  now: PairedAnswer | undefined,
): Flip | undefined {
  const was = before?.prediction ?? null;
  const is = now?.prediction ?? null;
  const { key, recordIndex, line, id, truth, cluster } = record;
  const cell = truth === null ? undefined : cellOfPair(truth, was, is);
  if (cell !== undefined && cluster !== undefined) {
    count(tally.clusters.count, cluster);
    if (cell === 'gained' || cell === 'lost') count(tally.clusters[cell], cluster);
  }
  if (was === null || is === null) {
    if (is !== null) tally.onlyNow++;
    if (was !== null) tally.onlyBefore++;
    if (cell !== undefined) tally.unanswered.count++;
    if (cell === 'gained' || cell === 'lost') tally.unanswered[cell]++;
    return undefined;
  }
  tally.answered++;
  const scoreBefore = before?.score ?? null;
  const scoreNow = now?.score ?? null;
  if (truth !== null && cell !== undefined) cellsOf(tally, truth)[cell]++;
  if (was !== is)
    return { key, recordIndex, line, id, truth, before: cut(was), now: cut(is), scoreBefore, scoreNow };
  tally.sameClass++;
  if (Object.is(scoreBefore, scoreNow)) tally.identical++;
  else if (scoreBefore !== null && scoreNow !== null) {
    const distance = Math.abs(scoreBefore - scoreNow);
    if (distance > tally.scoreDistance) tally.scoreDistance = distance;
  }
  return undefined;
}

/** A prediction as a flip shows it: the name of a class, or the beginning of a longer answer. */
function cut(prediction: string): string {
  return prediction.length > MAX_SHOWN ? `${prediction.slice(0, MAX_SHOWN)}…` : prediction;
}

/** Which of the two runs was right about a record; one without an answer was not. */
export function cellOfPair(truth: string, was: string | null, is: string | null): keyof PairedCells {
  if (was === truth) return is === truth ? 'bothRight' : 'lost';
  return is === truth ? 'gained' : 'bothWrong';
}

/** The form of a comparison's tally that is stored as JSON. */
export function toStoredPairTally(tally: PairTally): StoredPairTally {
  const { gained: more, lost: less, count: all } = tally.clusters;
  return {
    ...tally,
    clusters: { gained: packSparse(more), lost: packSparse(less), count: packSparse(all) },
    classes: [...tally.classes].map(([name, { bothRight, lost, gained, bothWrong }]) => [
      name,
      bothRight,
      lost,
      gained,
      bothWrong,
    ]),
  };
}

/** Inputs of this run that were looked for in the baseline. */
export function comparedInputs({ inputs: { paired, changed, added } }: Pick<PairTally, 'inputs'>): number {
  return paired + changed + added;
}

/** Adds a stored tally to one in memory. */
export function mergePairTally(into: PairTally, from: StoredPairTally): void {
  into.inputs.paired += from.inputs.paired;
  into.inputs.changed += from.inputs.changed;
  into.inputs.added += from.inputs.added;
  into.relabeled += from.relabeled;
  into.answered += from.answered;
  into.onlyNow += from.onlyNow;
  into.onlyBefore += from.onlyBefore;
  into.identical += from.identical;
  into.sameClass += from.sameClass;
  for (const name of ['gained', 'lost', 'count'] as const) {
    into.unanswered[name] += from.unanswered[name];
    mergePacked(into.clusters[name], from.clusters[name]);
  }
  into.scoreDistance = Math.max(into.scoreDistance, from.scoreDistance);
  for (const [name, bothRight, lost, gained, bothWrong] of from.classes) {
    const cells = cellsOf(into, name);
    cells.bothRight += bothRight;
    cells.lost += lost;
    cells.gained += gained;
    cells.bothWrong += bothWrong;
  }
}

function cellsOf({ classes }: PairTally, name: string): Cells {
  const known = classes.get(name);
  if (known !== undefined) return known;
  const fresh = { bothRight: 0, lost: 0, gained: 0, bothWrong: 0 };
  classes.set(name, fresh);
  return fresh;
}
