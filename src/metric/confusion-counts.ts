import { count, type SparseCounts } from './sparse-counts.ts';

/** Cap on the classes of a run. */
export const MAX_CLASSES = 131_072;

/** Counts of truth and prediction pairs, kept sparse: with a thousand classes most pairs never occur. */
export function countPair(confusion: SparseCounts, truth: number, predicted: number, times = 1): void {
  count(confusion, truth * MAX_CLASSES + predicted, times);
}

/** Each pair that occurred, as class ids. */
export function* pairsOf(
  confusion: SparseCounts,
): Generator<{ truth: number; predicted: number; times: number }> {
  for (const [pair, times] of confusion) {
    yield { truth: Math.floor(pair / MAX_CLASSES), predicted: pair % MAX_CLASSES, times };
  }
}
