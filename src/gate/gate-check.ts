import type { RoundAnswer } from '../judging/judge-round.ts';
import type { Stratum } from '../judging/sampled-share.ts';
import type { Comparison } from '../metric/comparison.ts';
import type { Metrics } from '../metric/metrics.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import type { StoredSlices } from '../slice/slice-tally.ts';
import type { RecallBounds } from './recall-bounds.ts';

/** Bounds that decide whether a run passes. */
export interface GateBounds {
  readonly minAccuracy?: number | undefined;
  readonly maxErrorRate?: number | undefined;
  readonly maxAccuracyDrop?: number | undefined;
  readonly significance?: number | undefined;
  readonly minRecall?: RecallBounds | undefined;
  /** Bounds by the name of the slice; the asterisk stands for every other one. */
  readonly slices?:
    Readonly<Record<string, { readonly minAccuracy: number; readonly minInputs: number }>> | undefined;
  /** Labelled records below which nothing is decided; default 1. */
  readonly minInputs?: number | undefined;
  /** Confidence of the bound on accuracy that is judged; default null, where the accuracy itself is. */
  readonly confidence?: number | null | undefined;
}

/** Evidence of the rounds of a run that was decided early, or stopped before. */
export interface EarlyEvidence extends RoundAnswer {
  readonly confidence: number;
  /** Bounds of the accuracy of the whole drop. */
  readonly interval: Interval;
  /** Bounds of its change against the baseline, on all inputs that both have. */
  readonly change: Interval;
  /** Why no further round was sent; null if none was needed. */
  readonly stopped: string | null;
}

/** The figures of a run that the gate judges. */
export interface GateEvidence {
  readonly metrics: Metrics;
  /** The figures of all inputs, where `metrics` may lack some that were trained on or are copies. */
  readonly whole?: Metrics | undefined;
  /** Whether the label file hadn't arrived when the run was planned. */
  readonly awaitsLabels?: boolean | undefined;
  /** Class names by id. */
  readonly classes: readonly string[];
  /** Undefined if there is no baseline. */
  readonly comparison:
    | {
        readonly baseline: string;
        readonly result: Comparison;
        /** Whether the baseline's answers may not be those of each input alone. */
        readonly isDoubted?: boolean;
      }
    | undefined;
  /** The sample that stands for a drop, and its judged records by stratum; undefined if the run has all inputs. */
  readonly sample?:
    | {
        readonly inputs: number;
        readonly of: number;
        readonly strata: readonly Stratum[];
        /** Undefined where the size of the sample was given. */
        readonly early?: EarlyEvidence | undefined;
      }
    | undefined;
  /** Tallies of the dimensions of `report.slices`, of the inputs that count. */
  readonly slices?: readonly (StoredSlices[number] & { readonly name: string })[] | undefined;
  /** True if "last-passed" found no run yet: the first run of a pipeline has no loss to judge. */
  readonly first: boolean;
  /** Whether answers of inputs that were sent together may not be those of each alone, as an endpoint gives them. */
  readonly isDoubted?: boolean;
}

/** One bound and whether it held, as a clause of the verdict's sentence; `none` if too little is known to decide. */
export interface GateCheck {
  readonly verdict: 'passed' | 'failed' | 'none';
  readonly says: string;
}

/** Result of a bound that could be checked. */
export function checked(passed: boolean, says: string): GateCheck {
  return { verdict: passed ? 'passed' : 'failed', says };
}
