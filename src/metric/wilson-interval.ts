import { normalQuantile } from './normal-quantile.ts';

/** Two-sided 95 % quantile of the normal distribution, as SciPy's `norm.isf(0.025)`. */
const Z_95 = 1.959963984540054;

/** Bounds of a share, both 0 … 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 95 % confidence interval of `successes` out of `trials` (Wilson 1927), which keeps its coverage near 0 and 1 and for few
 * trials. Undefined without trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  const { centre, half } = score(successes / trials, trials, Z_95);
  return { low: successes === 0 ? 0 : centre - half, high: successes === trials ? 1 : centre + half };
}

/**
 * The 95 % interval of a share of a finite whole of which `fraction`, 0 … 1, was drawn without replacement: Wilson's with as many trials
 * as have the variance that the finite-population correction leaves. With all of it drawn the share is known.
 */
export function drawnInterval(successes: number, trials: number, fraction: number): Interval | undefined {
  if (trials === 0 || fraction <= 0) return wilsonInterval(successes, trials);
  const share = successes / trials;
  if (fraction >= 1) return { low: share, high: share };
  const raised = raisedTrials(trials, fraction);
  return wilsonInterval(share * raised, raised);
}

/** Lower end of the one-sided interval of the same share. */
export function drawnLowerBound(
  successes: number,
  trials: number,
  { fraction, confidence }: { readonly fraction: number; readonly confidence: number },
): number | undefined {
  if (trials === 0 || fraction <= 0) return wilsonLowerBound(successes, trials, confidence);
  const share = successes / trials;
  if (fraction >= 1) return share;
  const raised = raisedTrials(trials, fraction);
  return wilsonLowerBound(share * raised, raised, confidence);
}

function raisedTrials(trials: number, fraction: number): number {
  return (trials - fraction) / (1 - fraction);
}

/**
 * Lower end of the one-sided Wilson interval (Wilson 1927): with this confidence, such as 0.95, the share itself is not lower. Undefined
 * without trials.
 */
export function wilsonLowerBound(successes: number, trials: number, confidence: number): number | undefined {
  if (trials === 0) return undefined;
  if (successes === 0) return 0;
  const { centre, half } = score(successes / trials, trials, normalQuantile(confidence));
  return centre - half;
}

function score(share: number, trials: number, z: number): { readonly centre: number; readonly half: number } {
  const z2 = z * z;
  const scale = 1 + z2 / trials;
  return {
    centre: (share + z2 / (2 * trials)) / scale,
    half: (z / scale) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials)),
  };
}
