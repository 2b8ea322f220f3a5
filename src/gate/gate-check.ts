import type { Comparison } from '../metric/comparison.ts';
import type { Metrics } from '../metric/metrics.ts';
import type { RecallBounds } from './recall-bounds.ts';

/** Bounds that decide whether a run passes. */
export interface GateBounds {
  readonly minAccuracy?: number | undefined;
  readonly maxErrorRate?: number | undefined;
  readonly maxAccuracyDrop?: number | undefined;
  readonly significance?: number | undefined;
  readonly minRecall?: RecallBounds | undefined;
}

/** The figures of a run that the gate judges. */
export interface GateEvidence {
  readonly metrics: Metrics;
  /** Class names by id. */
  readonly classes: readonly string[];
  /** Undefined where there is no baseline. */
  readonly comparison: { readonly baseline: string; readonly result: Comparison } | undefined;
  /** True where "last-passed" found no run yet: the first run of a pipeline has no loss to judge. */
  readonly first: boolean;
}

/** One bound and whether it held, as a clause of the verdict's sentence. */
export interface GateCheck {
  readonly passed: boolean;
  readonly says: string;
}
