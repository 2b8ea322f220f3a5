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
  const share = successes / trials;
  const z2 = Z_95 * Z_95;
  const scale = 1 + z2 / trials;
  const centre = (share + z2 / (2 * trials)) / scale;
  const half = (Z_95 / scale) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials));
  return { low: successes === 0 ? 0 : centre - half, high: successes === trials ? 1 : centre + half };
}
