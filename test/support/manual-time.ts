import type { Time } from '../../src/cli/show/signs-of-life.ts';

/** A time that stands still until a test lets it pass. */
export function manualTime(): Time & { pass(ms: number): void } {
  let nowMs = 0;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => nowMs,
    after(delayMs, callback) {
      const timer = { at: nowMs + delayMs, callback };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
    pass(ms) {
      const until = nowMs + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        nowMs = next.at;
        next.callback();
      }
      nowMs = until;
    },
  };
}
