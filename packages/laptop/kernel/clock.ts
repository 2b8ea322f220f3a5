/** All time of the stack passes through a clock, so that tests move it by hand and never sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after `delayMs` (any length; the host's 2^31 ms limit is handled here). Returns a way to cancel. */
  after(delayMs: number, callback: () => void): () => void;
  /** Resolves after `delayMs`, or rejects with the signal's reason. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

function after(delayMs: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (remainingMs: number): void => {
    const step = Math.min(remainingMs, MAX_TIMEOUT_MS);
    timer = setTimeout(() => (remainingMs > step ? arm(remainingMs - step) : callback()), step);
  };
  arm(Math.max(0, delayMs));
  return () => clearTimeout(timer);
}

/** A `sleep` made of any clock's `after`. */
export function sleepWith(after: Clock['after']): Clock['sleep'] {
  return (delayMs, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => {
        cancel();
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const cancel = after(delayMs, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
}

/** Waits for work, but no longer than `limitMs`, after which it throws `late()`. */
export async function within<T>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(limitMs, () => reject(late()));
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}

/** The computer's own time. */
export const systemClock: Clock = { now: () => Date.now(), after, sleep: sleepWith(after) };
