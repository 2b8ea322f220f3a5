/**
 * A sum of doubles kept as two doubles, about 106 bits: partial sums merge in any order to the same double in all but
 * contrived cases (Knuth's two-sum; Dekker 1971).
 */
export interface ExactSum {
  high: number;
  low: number;
}

/** The sum of no numbers: 0. */
export function exactSum(): ExactSum {
  return { high: 0, low: 0 };
}

/** Adds one finite number in place; an infinity would turn the sum into NaN. */
export function addTo(sum: ExactSum, value: number): void {
  const total = sum.high + value;
  const part = total - sum.high;
  const low = sum.low + (sum.high - (total - part) + (value - part));
  sum.high = total + low;
  sum.low = low - (sum.high - total);
}

/** Adds one partial sum to another. */
export function mergeSum(into: ExactSum, from: ExactSum): void {
  addTo(into, from.high);
  addTo(into, from.low);
}

/** The sum of finite numbers, rounded to a double at its end. */
export function sumOf(values: Iterable<number>): number {
  const sum = exactSum();
  for (const value of values) addTo(sum, value);
  return sum.high;
}
