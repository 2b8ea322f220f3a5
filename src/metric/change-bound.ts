import { erfc } from './erfc.ts';
import { normalQuantile } from './normal-quantile.ts';

/** Records of two runs by the answers that only one of them got right. Counts may be effective ones. */
export interface PairedCounts {
  /** Right only now. */
  readonly gained: number;
  /** Right only before. */
  readonly lost: number;
  /** All records of both. */
  readonly count: number;
}

/** Records that are added to the lost ones. The test keeps its level with them, whatever share of the records differs. */
const CORRECTION = 0.5;
const HALVINGS = 60;

/**
 * Standard deviations by which the records gained are more than a change of accuracy by `change`, −1 … 1, would give:
 * the score test of Tango (1998, Statistics in Medicine 17:891) with half a lost record more.
 */
function changeScore({ gained, lost, count }: PairedCounts, change: number): number {
  const worse = lost + CORRECTION;
  const n = Math.max(count, gained + worse);
  const b = (2 * n - gained + worse) * change - gained - worse;
  const c = -worse * change * (1 - change);
  const lostShare = (Math.sqrt(Math.max(0, b * b - 8 * n * c)) - b) / (4 * n);
  const variance = n * (2 * lostShare + change * (1 - change));
  const above = gained - worse - n * change;
  return variance > 0 ? above / Math.sqrt(variance) : Math.sign(above) * Infinity;
}

/** Probability of as many gained records, or more, if accuracy changed by `change`: "changed by more" is proven at 1 − this. */
export function changeTail(pairs: PairedCounts, change: number): number {
  if (pairs.count === 0) return 1;
  const score = changeScore(pairs, change) / Math.SQRT2;
  return score >= 0 ? erfc(score) / 2 : 1 - erfc(-score) / 2;
}

/** Lower end of the change of accuracy, −1 … 1: with this confidence accuracy didn't change by less. */
export function changeLower(pairs: PairedCounts, confidence: number): number {
  if (pairs.count === 0) return -1;
  const z = normalQuantile(confidence);
  let [low, high] = [-1, (pairs.gained - pairs.lost) / pairs.count];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (changeScore(pairs, middle) >= z) low = middle;
    else high = middle;
  }
  return low;
}
