import { incompleteBeta, inverseIncompleteBeta } from './incomplete-beta.ts';

/**
 * Probability of at least `right` right answers of `count` if the share is `share`. Counts may be effective ones, which
 * needn't be whole.
 */
export function binomialTail(right: number, count: number, share: number): number {
  return right <= 0 ? 1 : right > count ? 0 : incompleteBeta(share, right, count - right + 1);
}

/**
 * Lower end of the one-sided exact interval (Clopper, Pearson 1934, Biometrika 26:404): with this confidence, such as 0.95, the share isn't
 * lower. 30 right answers of 30 prove 90.5% at 95% confidence, and none of none prove 0.
 */
export function exactLower(right: number, count: number, confidence: number): number {
  if (right <= 0) return 0;
  if (right >= count) return (1 - confidence) ** (1 / count);
  return inverseIncompleteBeta(1 - confidence, right, count - right + 1);
}

/** Upper end of the same share's other one-sided interval. */
export function exactUpper(right: number, count: number, confidence: number): number {
  return 1 - exactLower(count - right, count, confidence);
}

/** Least number of right answers of `count` that proves a share of `floor`; more than `count` if none does. */
export function neededRight(floor: number, count: number, confidence: number): number {
  if (floor <= 0) return 0;
  let [low, high] = [0, count + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (binomialTail(middle, count, floor) > 1 - confidence && middle <= count) low = middle + 1;
    else high = middle;
  }
  return low;
}
