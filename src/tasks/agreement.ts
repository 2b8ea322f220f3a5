import { short } from '../text/figures.ts';

/** The part of an answer for one record in which batch and endpoint must agree. */
export interface ComparableAnswer {
  /** Class id. */
  readonly predicted: number;
  readonly score: number | undefined;
  /** One number per class, if the output has them. */
  readonly scores: ArrayLike<number> | undefined;
}

/**
 * Scores of one model on two kinds of hardware differ in their last digits: a GPU adds in another order. A larger difference means another
 * model, or another handler.
 */
export const TOLERANCE = 1e-3;

/** Why two answers for the same input disagree; undefined if they agree. */
export function disagreement(batch: ComparableAnswer, live: ComparableAnswer): string | undefined {
  if (batch.scores !== undefined && live.scores !== undefined) {
    if (batch.scores.length !== live.scores.length)
      return `${live.scores.length} scores, batch gave ${batch.scores.length}`;
    const worst = largestDifference(batch.scores, live.scores);
    // Two classes with the same score may change places within the tolerance.
    return worst > TOLERANCE ? `scores that differ from batch's by up to ${short(worst, 3)}` : undefined;
  }
  if (batch.predicted !== live.predicted) return `class ${live.predicted}, batch gave ${batch.predicted}`;
  if (batch.score !== undefined && live.score !== undefined && differ(batch.score, live.score) > TOLERANCE)
    return `score ${live.score}, batch gave ${batch.score}`;
  return undefined;
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = 0;
  for (let index = 0; index < a.length; index++)
    worst = Math.max(worst, differ(a[index] ?? Number.NaN, b[index] ?? Number.NaN));
  return worst;
}

/** Difference of two numbers: absolute for probabilities, relative for large ones; an infinity agrees with itself. */
export function differ(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const difference = Math.abs(a - b) / Math.max(1, Math.abs(a), Math.abs(b));
  return Number.isNaN(difference) ? Infinity : difference;
}
