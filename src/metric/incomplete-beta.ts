import { HALF_LOG_TAU, logGamma } from './log-gamma.ts';

const TINY = 1e-300;

/** Error of Stirling's formula for log n!: its series, or a difference of logarithms that are small. */
function stirlingError(n: number): number {
  if (n < 15) return logGamma(n + 1) - ((n + 0.5) * Math.log(n) - n + HALF_LOG_TAU);
  const square = n * n;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n;
}

/** x · log(x / mean) + mean − x, without cancellation near x = mean. */
function deviance(x: number, mean: number): number {
  const v = (x - mean) / (x + mean);
  if (Math.abs(v) >= 0.1) return x * Math.log(x / mean) + mean - x;
  let term = 2 * x * v;
  let sum = (x - mean) * v;
  // Each term is below a hundredth of the one before it.
  for (let odd = 3; odd < 25; odd += 2) {
    term *= v * v;
    sum += term / odd;
  }
  return sum;
}

/** x^a (1 − x)^b / B(a, b) by a saddle point (Loader 2000, Fast and accurate computation of binomial probabilities). */
function power(x: number, a: number, b: number): number {
  const n = a + b;
  const errors = stirlingError(n) - stirlingError(a) - stirlingError(b);
  const log = errors - deviance(a, n * x) - deviance(b, n * (1 - x)) - HALF_LOG_TAU;
  return Math.exp(log) * Math.sqrt((a / n) * b);
}

/** Lentz's continued fraction (DLMF 8.17.22), which converges fast where x is below the mean. */
function lowerTail(x: number, a: number, b: number): number {
  const kept = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  const take = (part: number): void => {
    d = 1 / kept(1 + part * d);
    c = kept(1 + part / c);
    fraction *= d * c;
  };
  let m = 0;
  do {
    m++;
    take((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    take((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
  } while (Math.abs(c * d - 1) > 1e-15);
  return (power(x, a, b) / a) * fraction;
}

/** Regularized incomplete beta function I_x(a, b), a and b above 0, to about 1e-10 for a and b up to 1e7. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return x > (a + 1) / (a + b + 2) ? 1 - lowerTail(1 - x, b, a) : lowerTail(x, a, b);
}

/** x with I_x(a, b) = level, 0 … 1: Newton's steps within a bracket, which is halved if a step would leave it. */
export function inverseIncompleteBeta(level: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  let x = a / (a + b);
  for (let step = 0; step < 200; step++) {
    const miss = incompleteBeta(x, a, b) - level;
    if (miss > 0) high = x;
    else low = x;
    const next = x - (miss * x * (1 - x)) / power(x, a, b);
    const kept = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(kept - x) <= 4 * Number.EPSILON * x) return kept;
    x = kept;
  }
  return x;
}
