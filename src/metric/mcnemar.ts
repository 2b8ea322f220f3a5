import { erfc } from './erfc.ts';

/** Cap on the discordant pairs of the exact test; beyond it the normal approximation agrees in every digit shown. */
const MAX_EXACT_PAIRS = 1_000;

/** Whether two classifiers judged on the same records differ by more than chance (McNemar 1947). */
export interface McNemar {
  /** Two-sided. */
  readonly pValue: number;
  /** True for the binomial test, false for chi-square with Edwards' continuity correction. */
  readonly exact: boolean;
}

/**
 * Tests whether `lost` and `gained`, the records that only one of the two got right, differ only by chance. Without such records p
 * is 1.
 */
export function mcnemar(lost: number, gained: number): McNemar {
  const discordant = lost + gained;
  if (discordant <= MAX_EXACT_PAIRS)
    return { pValue: binomialTails(Math.min(lost, gained), discordant), exact: true };
  const distance = Math.max(0, Math.abs(lost - gained) - 1);
  return { pValue: erfc(Math.sqrt((distance * distance) / discordant / 2)), exact: false };
}

/** Probability of at most `fewer` heads, or at most `fewer` tails, in `trials` throws of a fair coin. */
function binomialTails(fewer: number, trials: number): number {
  if (2 * fewer >= trials) return 1;
  // The largest term; the smallest on the way to it is 2^-1000, which doubles hold exactly.
  let term = 2 ** -trials;
  for (let step = 1; step <= fewer; step++) term *= (trials - fewer + step) / step;
  let sum = 0;
  for (let heads = fewer; heads >= 0; heads--) {
    sum += term;
    term *= heads / (trials - heads + 1);
  }
  return Math.min(1, 2 * sum);
}
