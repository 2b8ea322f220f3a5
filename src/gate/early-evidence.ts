import type { Interval } from '../metric/wilson-interval.ts';
import type { Bound } from './bound.ts';

/** A bound that the rounds of a run are to decide. */
export interface EarlyBound extends Pick<Bound, 'kind' | 'name' | 'floor'> {
  /** Least share, or change, of all inputs with which the complete run proves the bound. */
  readonly needed: number;
  /** Limits of the share, or change, of all inputs, each valid after every round. */
  readonly bounds: Interval;
  /** Whether the complete run surely proves the bound, or surely doesn't; undefined while the answers don't decide. */
  readonly verdict: 'passed' | 'failed' | undefined;
}

/** Evidence of the rounds of a run that was decided early, or stopped before. */
export interface EarlyEvidence {
  readonly confidence: number;
  /** Undefined if the answers don't decide. */
  readonly verdict: 'passed' | 'failed' | undefined;
  readonly bounds: readonly EarlyBound[];
  /** Why no further round was sent; null if none was needed. */
  readonly stopped: string | null;
}
