import { type Clock, sleepWith } from '../../kernel/clock.ts';

/** A clock that stands still until a test moves it. Timers due within one `advance` fire in order of their time. */
export function manualClock(startMs = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): Promise<void> } {
  let nowMs = startMs;
  let sequence = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();
  const after: Clock['after'] = (delayMs, callback) => {
    const id = ++sequence;
    timers.set(id, { at: nowMs + Math.max(0, delayMs), callback });
    return () => timers.delete(id);
  };
  return {
    now: () => nowMs,
    after,
    sleep: sleepWith(after),
    async advance(ms) {
      const until = nowMs + ms;
      for (;;) {
        await settle();
        const [next] = [...timers]
          .filter(([, t]) => t.at <= until)
          .sort((a, b) => a[1].at - b[1].at || a[0] - b[0]);
        if (!next) break;
        timers.delete(next[0]);
        nowMs = next[1].at;
        next[1].callback();
      }
      nowMs = until;
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}
