import type { VerifyServices } from './check.ts';

/** Pause between two looks, and the time after which no more follow. */
type Patience = Pick<VerifyServices, 'clock' | 'wait' | 'pollMs'> & { readonly maxMs: number };

/** Looks until there is something to see; undefined once the time is over. */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { clock, wait, pollMs, maxMs }: Patience,
): Promise<T | undefined> {
  const giveUpAt = clock().getTime() + maxMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined || clock().getTime() >= giveUpAt) return seen;
    await wait(pollMs);
  }
}
