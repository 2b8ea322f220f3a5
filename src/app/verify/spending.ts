/** A check and its price. */
export interface Priced {
  readonly name: string;
  /** Estimated price in US dollars; null if a check reads only, and always runs. */
  readonly usd: number | null;
}

/** Whether a check runs, and if not the `--spend` in US dollars that it would need. */
export type SpendDecision = { readonly run: true } | { readonly run: false; readonly neededUsd: number };

/**
 * Decides in the given order which checks run under the cap; the sum of their estimates never exceeds it. The share of a check
 * that is left out is available to those after it.
 *
 * @param capUsd undefined without `--spend`: then no check runs that creates or costs something
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
