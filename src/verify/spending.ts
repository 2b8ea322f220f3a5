/** A check as far as money is concerned. */
export interface Priced {
  readonly name: string;
  /** Estimated price in US dollars; null where a check reads only, and always runs. */
  readonly usd: number | null;
}

/** Whether a check runs, and otherwise what `--spend` would have to be for it, in US dollars. */
export type SpendDecision = { readonly run: true } | { readonly run: false; readonly neededUsd: number };

/**
 * Decides in the given order which checks run under the cap; the sum of their estimates never exceeds it. A check that is
 * left out leaves its share to those after it.
 *
 * @param capUsd undefined without `--spend`: then nothing runs that creates or costs something
 */
export function planSpending(
  checks: readonly Priced[],
  capUsd: number | undefined,
): ReadonlyMap<string, SpendDecision> {
  const decisions = new Map<string, SpendDecision>();
  let cents = 0;
  for (const { name, usd } of checks) {
    const own = toCents(usd ?? 0);
    const fits = usd === null || (capUsd !== undefined && cents + own <= toCents(capUsd, Math.floor));
    if (fits) cents += own;
    decisions.set(name, fits ? { run: true } : { run: false, neededUsd: (cents + own) / 100 });
  }
  return decisions;
}

/** Estimates are whole cents, so that their sums are exact. */
function toCents(usd: number, round: (cents: number) => number = Math.ceil): number {
  return round(Math.round(usd * 1e6) / 1e4);
}
