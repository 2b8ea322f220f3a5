import type { Change, Count, SliceCount } from './counts.ts';
import type { EarlyEvidence } from './early-evidence.ts';

/** Counts that a gate judges a run by, and what its sentence says of them. */
export interface Evidence {
  /** One of the things counted. */
  readonly noun: 'input' | 'record';
  /** Right of the labeled records. */
  readonly whole: Count;
  /** The same of each true class. */
  readonly classes: ReadonlyMap<string, Count>;
  /** The same of each value of each dimension of `report.slices`. */
  readonly slices: readonly SliceCount[];
  /** Answered of the records that the model had to answer. */
  readonly answered: Count;
  /** Undefined if nothing was compared. */
  readonly change?: Change | undefined;
  /** Whether the label file hadn't arrived when the run was planned. */
  readonly awaitsLabels?: boolean;
  readonly labeled: { readonly labeled: number; readonly distinct: number };
  /** Files that were lost whole, with an unknown number of records. */
  readonly uncounted: number;
  /** The run to compare with; its name is null for the first run of a pipeline. Undefined if there's none. */
  readonly baseline?: { readonly run: string | null; readonly isDoubted: boolean } | undefined;
  /** Whether answers of inputs that were sent together may differ from each input's own, as an endpoint gives it. */
  readonly isDoubted?: boolean;
  /** Inputs that don't count, of how many, and the accuracy with them. */
  readonly setAside?:
    { readonly count: number; readonly of: number; readonly accuracy: number | undefined } | undefined;
  /** The sample that stands for a drop. */
  readonly sample?:
    { readonly inputs: number; readonly of: number; readonly early?: EarlyEvidence | undefined } | undefined;
}
