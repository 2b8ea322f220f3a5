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

/** Inputs of one batch by the judgement of two runs. */
export interface PairCounts {
  /** Right only now. */
  readonly gained: number;
  /** Right only before. */
  readonly lost: number;
  /** Right in both, or in neither. */
  readonly same: number;
  /** Inputs that are not in both runs with an answer and a label, which count for neither side. */
  readonly missing: number;
}

/**
 * Evidence for and against "accuracy changed by at least `change`", −1 … 1, on those of `total` inputs that both runs have. The bets are on
 * the surplus over the change, since the number of these inputs is not known.
 */
export function changeEvidence(change: number, total: number, batches: readonly PairCounts[]): Evidence {
  const values = batches.map(({ gained, lost, same, missing }): DrawnValues => [
    [1 - change, gained],
    [-1 - change, lost],
    [-change, same],
    [0, missing],
  ]);
  return evidenceOf({ mean: 0, low: -1 - change, high: 1 - change, total }, values);
}

/** Bounds of the change of accuracy on all inputs that both runs have, valid at every look. */
export function changeBounds(alpha: number, total: number, batches: readonly PairCounts[]): Interval {
  return meanBounds((change) => changeEvidence(change, total, batches), { low: -1, high: 1 }, alpha);
}
