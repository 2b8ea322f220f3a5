import type { Clock } from '../../kernel/clock.ts';

/** A day as lifecycle rules count it, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Calls back now, and at every midnight of UTC from then on. Returns a way to end it. */
export function everyMidnight(clock: Clock, callback: () => void): () => void {
  let cancel: () => void;
  const next = (): void => {
    callback();
    const now = clock.now();
    cancel = clock.after(toMidnight(now + 1) - now, next);
  };
  next();
  return () => cancel();
}

/** The first midnight of UTC that is not before a moment, in milliseconds since the epoch. */
export function toMidnight(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}
