import type { Ledger } from './ledger.ts';

/** Pairs below which nothing is said, and standard deviations above chance, which 4,000 drops of independent inputs never had. */
const LEAST_PAIRS = 10;
const LEAST_DEVIATIONS = 4;

/**
 * How many times as often as chance neighbors by name, of one class, are wrong together; undefined if chance explains
 * it. Inputs that come in groups, such as frames of one video, are not independent of each other.
 */
export function wrongTogether({ byClass }: Pick<Ledger, 'byClass'>): number | undefined {
  let [seen, expected, variance] = [0, 0, 0];
  for (const [of, pairs] of byClass.pairs) {
    const wrong = byClass.wrong.get(of) ?? 0;
    const all = wrong + (byClass.right.get(of) ?? 0);
    const chance = (wrong * (wrong - 1)) / (all * (all - 1));
    seen += byClass.wrongPairs.get(of) ?? 0;
    expected += pairs * chance;
    variance += pairs * chance * (1 - chance) * (1 + (2 * wrong) / all);
  }
  if (seen < LEAST_PAIRS || seen - expected <= LEAST_DEVIATIONS * Math.sqrt(variance)) return undefined;
  return seen / expected;
}
