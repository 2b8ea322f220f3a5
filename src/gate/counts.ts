import type { PartClusters } from '../judging/cluster-sums.ts';
import type { PairedCounts } from '../metric/change-bound.ts';

/** Right answers of a count of records. */
export interface Count {
  readonly right: number;
  readonly count: number;
  /** How many independent records the count is worth if some are alike; at most `count`, which is the default. */
  readonly effective?: number | undefined;
  /** Its clusters, if records come in groups and `effective` isn't known. */
  readonly clusters?: PartClusters | undefined;
  /** Share of right answers if records have weights, as in a sample by class. */
  readonly share?: number | undefined;
}

/** Records that the baseline has also answered, by the answers that differ. */
export interface Change extends PairedCounts {
  readonly effective?: number | undefined;
}

/** Right answers of a value of a dimension. */
export interface SliceCount {
  /** The dimension's name. */
  readonly name: string;
  /** Null for the records without a value, undefined for records with values that aren't kept one by one. */
  readonly value: string | null | undefined;
  readonly count: Count;
}
