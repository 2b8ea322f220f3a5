import type { Tally } from './tally.ts';
import { drawnInterval, type Interval } from './wilson-interval.ts';

/** Share of records with their truth among the k best classes. */
export interface TopKAccuracy {
  readonly k: number;
  readonly accuracy: number;
  readonly interval: Interval;
}

/**
 * Computes top-k accuracy; it needs at least one ranked record. Among equal scores the lower class index comes first, so that top-1 equals
 * the accuracy.
 */
export function topKAccuracy(tally: Tally, k: number, fraction = 0): TopKAccuracy {
  let hits = 0;
  for (const [rank, times] of tally.ranks) if (rank < k) hits += times;
  return {
    k,
    accuracy: hits / tally.ranked,
    interval: drawnInterval(hits, tally.ranked, fraction) ?? { low: 0, high: 1 },
  };
}
