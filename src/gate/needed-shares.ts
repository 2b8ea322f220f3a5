import { exactLower, exactUpper, neededRight } from '../metric/exact-bound.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import type { Bound } from './bound.ts';

/** A share that nothing reaches. */
const NEVER = 2;
/** Chance that the inputs of all that a bound counts are taken to be fewer, or more, than they are. */
const COUNT_ALPHA = 1e-5;

/** Least and most inputs that a bound counts in the whole drop, by those drawn. */
export function countedOfAll(counted: number, drawn: number, of: number): Interval {
  const [low, high] = [
    exactLower(counted, drawn, 1 - COUNT_ALPHA),
    exactUpper(counted, drawn, 1 - COUNT_ALPHA),
  ];
  return {
    low: Math.max(counted, Math.floor(of * low)),
    high: Math.min(of - (drawn - counted), Math.ceil(of * high)),
  };
}

/**
 * Shares of the inputs counted with which the complete run surely doesn't prove a floor, and with which it does. The
 * share falls with the count, but in whole right answers: between two counts it may be beyond those of both by less
 * than an input.
 */
export function neededShares(
  { floor, minInputs }: Pick<Bound, 'floor' | 'minInputs'>,
  confidence: number,
  { low: few, high: many }: Interval,
  worth = few,
): Interval {
  const step = floor > 0 && few < many ? 1 : 0;
  const share = (count: number): number => neededShare(floor, confidence, count);
  // Inputs in groups are worth as many as there are groups at least, and at most their own number.
  const least = Math.min(few, Math.floor(worth));
  const half = least < few ? 0.5 : 0;
  return {
    low: many < minInputs ? NEVER : share(many) - step / Math.max(1, many),
    high: few < minInputs ? NEVER : share(least) + (step + half) / Math.max(1, least),
  };
}

/** Least share of right answers of `count` that proves a floor: half an input below the least number. Above 1 if none does. */
export function neededShare(floor: number, confidence: number, count: number): number {
  return floor <= 0 ? 0 : (neededRight(floor, count, confidence) - 0.5) / Math.max(1, count);
}
