import { erfc } from './erfc.ts';
import type { PairTally } from './pair-tally.ts';
import { type PairedCells, type PairedChange, pairedChange } from './paired-change.ts';

/** Cap on the discordant pairs of the exact test; beyond it the normal approximation agrees in every digit shown. */
const MAX_EXACT_PAIRS = 1_000;

/** Whether two classifiers judged on the same records differ by more than chance (McNemar 1947). */
interface McNemar {
  /** Two-sided. */
  readonly pValue: number;
  /** True for the binomial test, false for chi-square with Edwards' continuity correction. */
  readonly exact: boolean;
}

/** Change of one class's recall. */
interface ClassChange extends PairedCells {
  readonly name: string;
  readonly recall: PairedChange;
}

/** Comparison of a run with its baseline, on the records that both have. */
export interface Comparison {
  /** Over all records with a truth and a prediction in both runs; undefined without such records. */
  readonly cells: PairedCells;
  readonly accuracy: PairedChange | undefined;
  readonly test: McNemar | undefined;
  /** Classes in the order in which they were met. */
  readonly classes: readonly ClassChange[];
}

/** Computes the comparison from a merged tally of pairs. */
export function comparisonOf(tally: PairTally): Comparison {
  const cells = { bothRight: 0, lost: 0, gained: 0, bothWrong: 0 };
  const classes: ClassChange[] = [];
  for (const [name, each] of tally.classes) {
    cells.bothRight += each.bothRight;
    cells.lost += each.lost;
    cells.gained += each.gained;
    cells.bothWrong += each.bothWrong;
    const recall = pairedChange(each);
    if (recall !== undefined) classes.push({ name, ...each, recall });
  }
  const accuracy = pairedChange(cells);
  return {
    cells,
    accuracy,
    test: accuracy === undefined ? undefined : mcnemar(cells.lost, cells.gained),
    classes,
  };
}

/**
 * Tests whether `lost` and `gained`, the records that only one of the two got right, differ only by chance. Without such records p
 * is 1.
 */
export function mcnemar(lost: number, gained: number): McNemar {
  const discordant = lost + gained;
  if (discordant <= MAX_EXACT_PAIRS)
    return { pValue: binomialTails(Math.min(lost, gained), discordant), exact: true };
  const distance = Math.max(0, Math.abs(lost - gained) - 1);
  return { pValue: erfc(Math.sqrt((distance * distance) / discordant / 2)), exact: false };
}

/** Probability of at most `fewer` heads, or at most `fewer` tails, in `trials` throws of a fair coin. */
function binomialTails(fewer: number, trials: number): number {
  if (2 * fewer >= trials) return 1;
  // The largest term; the smallest on the way to it is 2^-1000, which doubles hold exactly.
  let term = 2 ** -trials;
  for (let step = 1; step <= fewer; step++) term *= (trials - fewer + step) / step;
  let sum = 0;
  for (let heads = fewer; heads >= 0; heads--) {
    sum += term;
    term *= heads / (trials - heads + 1);
  }
  return Math.min(1, 2 * sum);
}
