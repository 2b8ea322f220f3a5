import type { Interval } from '../metric/wilson-interval.ts';
import { type DrawnValues, type Evidence, evidenceOf, meanBounds } from './bets.ts';

/** Judged inputs of one batch, drawn at random. */
export interface AnswerCounts {
  readonly right: number;
  readonly wrong: number;
  /** Inputs without an answer or a label, which count for neither side. */
  readonly missing: number;
}

/**
 * Evidence for and against "accuracy is at least `gate`" of a whole drop of `total` inputs. The bets are on the surplus, 1 − gate for
 * a right answer and −gate for a wrong one, since the number of those that will be judged is not known.
 */
export function accuracyEvidence(gate: number, total: number, batches: readonly AnswerCounts[]): Evidence {
  const values = batches.map(({ right, wrong, missing }): DrawnValues => [
    [1 - gate, right],
    [-gate, wrong],
    [0, missing],
  ]);
  return evidenceOf({ mean: 0, low: -gate, high: 1 - gate, total }, values);
}

/** Bounds of the accuracy of the whole drop, valid at every look. */
export function accuracyBounds(alpha: number, total: number, batches: readonly AnswerCounts[]): Interval {
  return meanBounds((gate) => accuracyEvidence(gate, total, batches), { low: 0, high: 1 }, alpha);
}

/** Inputs of one batch that two runs have judged: right only now, right only before, the same in both. */
export interface PairCounts {
  readonly gained: number;
  readonly lost: number;
  readonly same: number;
}

/** Evidence for and against "accuracy fell by at most `allowed`", 0 … 1, on `total` inputs of both runs. */
export function lossEvidence(allowed: number, total: number, batches: readonly PairCounts[]): Evidence {
  const values = batches.map(({ gained, lost, same }): DrawnValues => [
    [1, gained],
    [-1, lost],
    [0, same],
  ]);
  return evidenceOf({ mean: -allowed, low: -1, high: 1, total }, values);
}
