import type { PairedCounts } from '../metric/change-bound.ts';

/** Right answers of a count of records. */
export interface Count {
  readonly right: number;
  readonly count: number;
  /** How many independent records the count is worth if some are alike; at most `count`, which is the default. */
  readonly effective?: number | undefined;
}

/** Right answers of a value of a dimension. */
export interface SliceCount {
  /** The dimension's name. */
  readonly name: string;
  /** Null for the records without a value, undefined for those of the values that aren't kept one by one. */
  readonly value: string | null | undefined;
  readonly count: Count;
}

/** Counts that a gate judges a run by. */
export interface Evidence {
  /** Right of the labelled records. */
  readonly whole: Count;
  /** The same of each true class. */
  readonly classes: ReadonlyMap<string, Count>;
  /** The same of each value of each dimension of `report.slices`. */
  readonly slices: readonly SliceCount[];
  /** Answered of the records that the model had to answer. */
  readonly answered: Count;
  /** Records that the baseline has also answered, by the answers that differ. Undefined if nothing was compared. */
  readonly change?: (PairedCounts & { readonly effective?: number | undefined }) | undefined;
  readonly labelled: { readonly labelled: number; readonly distinct: number };
}
