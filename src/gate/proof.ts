import { holm } from '../judging/holm.ts';
import { changeLower, changeTail, type PairedCounts } from '../metric/change-bound.ts';
import { binomialTail, exactLower, neededRight } from '../metric/exact-bound.ts';
import type { Bound } from './bound.ts';

/** A bound with the verdict on it. */
export interface JudgedBound {
  readonly bound: Bound;
  /** The share, or the change, itself. Undefined without records. */
  readonly figure: number | undefined;
  /** Least that the records allow at the gate's confidence, one-sided; without a confidence the figure. */
  readonly low: number;
  readonly outcome: 'proven' | 'refuted' | 'open';
  /** Whether it has fewer records than it needs. */
  readonly isFew: boolean;
  /** Records that would prove it if the figure stays; undefined if it's no open bound, or none would. */
  readonly needed?: number | undefined;
}

/** Tolerance for the rounding of 1 − maxErrorRate. */
const ROUNDING = 1e-12;
/** Cap on the records that are said to prove a bound. */
const MOST_NEEDED = 1e8;

/** Most of some records that may have no answer while `gate.maxErrorRate` can be proven by them; negative if it can't be. */
export function mostErrors(maxErrorRate: number, confidence: number | null, records: number): number {
  return confidence === null
    ? Math.floor(maxErrorRate * records + ROUNDING * records)
    : records - neededRight(1 - maxErrorRate, records, confidence);
}

/**
 * Judges all bounds of a gate by one rule: a bound is proven if its lower end reaches the floor. The gate passes if all are, so each is
 * proven at the same level whatever their number (the intersection–union test: Berger 1982, Technometrics 24:295). It fails if one is
 * refuted; there the chances of error add up, and Holm's correction keeps their sum.
 */
export function prove(bounds: readonly Bound[], confidence: number | null): JudgedBound[] {
  const alpha = confidence === null ? 0 : 1 - confidence;
  const chances = holm(bounds.map((bound) => trialsOf(bound, true).chance(1)));
  return bounds.map((bound, at) => {
    const trials = trialsOf(bound);
    const figure = bound.count.count === 0 ? undefined : trials.figure;
    const isReached = trials.figure >= bound.floor - ROUNDING;
    const isProven = confidence === null ? isReached : trials.chance(1) <= alpha;
    const isRefuted = confidence === null ? !isReached : (chances[at] ?? 1) <= alpha;
    const isFew = bound.count.count < bound.minInputs;
    // Too many errors are told however few the records are: they need no labels.
    const isTold = isRefuted && figure !== undefined && (!isFew || bound.kind === 'errors');
    const outcome = isTold ? 'refuted' : isProven && !isFew ? 'proven' : 'open';
    const isShort = confidence !== null && outcome === 'open' && isReached;
    return {
      bound,
      figure,
      isFew,
      outcome,
      low: confidence === null ? trials.figure : trials.lower(confidence),
      needed: isShort ? neededFor(bound.count.count, (times) => trials.chance(times) <= alpha) : undefined,
    };
  });
}

/** Verdict of a gate on its bounds. */
export function outcomeOf(judged: readonly JudgedBound[]): 'passed' | 'failed' | 'none' {
  if (judged.some(({ outcome }) => outcome === 'refuted')) return 'failed';
  return judged.every(({ outcome }) => outcome === 'proven') ? 'passed' : 'none';
}

/** Answers as trials of "the truth is at the floor", or of the same seen from the other side: mistakes and their most. */
interface Trials {
  readonly figure: number;
  /** Probability of answers as good as these or better at the floor. @param times records in parts of those there are */
  readonly chance: (times: number) => number;
  /** Least share or change at a confidence. */
  readonly lower: (confidence: number) => number;
}

function trialsOf({ floor, count }: Bound, isMirrored = false): Trials {
  const { count: records, effective = records } = count;
  const worth = records === 0 ? 0 : effective / records;
  if ('right' in count) {
    const { right, share = records === 0 ? 0 : right / records } = count;
    const seen = isMirrored ? 1 - share : share;
    const least = isMirrored ? 1 - floor : floor;
    const hits =
      count.share === undefined ? (isMirrored ? records - right : right) * worth : seen * effective;
    return {
      figure: seen,
      chance: (times) => (least <= 0 ? 0 : binomialTail(hits * times, effective * times, least)),
      lower: (confidence) => exactLower(hits, effective, confidence),
    };
  }
  const [gained, lost] = isMirrored ? [count.lost, count.gained] : [count.gained, count.lost];
  const least = isMirrored ? -floor : floor;
  const pairs = (times: number): PairedCounts => ({
    gained: gained * worth * times,
    lost: lost * worth * times,
    count: effective * times,
  });
  return {
    figure: records === 0 ? 0 : (gained - lost) / records,
    chance: (times) => (least <= -1 ? 0 : changeTail(pairs(times), least)),
    lower: (confidence) => changeLower(pairs(1), confidence),
  };
}

/** Least number of records, to three digits, that would prove a bound; undefined beyond a hundred million. */
function neededFor(records: number, isProven: (times: number) => boolean): number | undefined {
  let [low, high] = [1, 2];
  while (records * high < MOST_NEEDED && !isProven(high)) [low, high] = [high, high * 2];
  if (!isProven(high)) return undefined;
  while (high - low > high / 1_000) {
    const middle = (low + high) / 2;
    if (isProven(middle)) high = middle;
    else low = middle;
  }
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(records * high)) - 2);
  return Math.ceil((records * high) / unit) * unit;
}
