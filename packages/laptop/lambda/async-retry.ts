/** Why an event is given up, in the words of Lambda's records. */
export type GivenUp = 'RetriesExhausted' | 'EventAgeExceeded';

/** Lambda waits a minute before the first retry and two before the second. */
const RETRY_DELAYS_MS = [60_000, 120_000];
/** Lambda gives an event up after six hours. */
const MAX_AGE_MS = 21_600_000;
const FIRST_THROTTLE_DELAY_MS = 1000;
const MAX_THROTTLE_DELAY_MS = 300_000;

/**
 * Next step after an attempt that failed or was throttled: a wait before the next one, or the end.
 *
 * @param tries.attempts those that failed; a throttled one does not count
 * @param tries.ageMs of the event, now
 */
export function afterAttempt(tries: {
  readonly attempts: number;
  readonly throttles: number;
  readonly isThrottled: boolean;
  readonly ageMs: number;
}): { readonly delayMs: number } | { readonly givenUp: GivenUp } {
  const delayMs = tries.isThrottled
    ? Math.min(MAX_THROTTLE_DELAY_MS, FIRST_THROTTLE_DELAY_MS * 2 ** (tries.throttles - 1))
    : (RETRY_DELAYS_MS[tries.attempts - 1] ?? 0);
  if (tries.attempts > RETRY_DELAYS_MS.length) return { givenUp: 'RetriesExhausted' };
  if (tries.ageMs + delayMs > MAX_AGE_MS) return { givenUp: 'EventAgeExceeded' };
  return { delayMs };
}
