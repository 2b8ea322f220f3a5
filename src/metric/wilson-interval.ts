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
  const { center, half } = score(successes / trials, trials);
  return { low: successes === 0 ? 0 : center - half, high: successes === trials ? 1 : center + half };
}

/**
 * The 95 % interval of a share of a finite whole when `fraction`, 0 … 1, of it was drawn without replacement: Wilson's, with the
 * number of trials that gives the variance after the finite-population correction. If all of it was drawn, the share is known.
 */
export function drawnInterval(successes: number, trials: number, fraction: number): Interval | undefined {
  if (trials === 0 || fraction <= 0) return wilsonInterval(successes, trials);
  const share = successes / trials;
  if (fraction >= 1) return { low: share, high: share };
  const raised = (trials - fraction) / (1 - fraction);
  return wilsonInterval(share * raised, raised);
}

function score(share: number, trials: number): { readonly center: number; readonly half: number } {
  const z2 = Z_95 * Z_95;
  const scale = 1 + z2 / trials;
  return {
    center: (share + z2 / (2 * trials)) / scale,
    half: (Z_95 / scale) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials)),
  };
}
