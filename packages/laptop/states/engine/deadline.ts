import type { Clock } from '../../kernel/clock.ts';

/** Resolves or rejects as the work does, unless the signal aborts first. */
function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      work.catch(() => undefined);
      reject(reasonOf(signal));
      return;
    }
    const abort = (): void => reject(reasonOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Why a signal was aborted, as an error. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}

/** A controller that aborts when the signal does. Call `release` when its work is over. */
export function linkedController(signal: AbortSignal): {
  readonly controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return { controller, release: () => signal.removeEventListener('abort', abort) };
}

/** Runs the work with a signal of its own, which aborts with `late()` after `limitMs`. No limit, no timer. */
export async function withDeadline<Result>(
  clock: Clock,
  limitMs: number | undefined,
  signal: AbortSignal,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (limitMs === undefined) return unlessAborted(signal, work(signal));
  const { controller, release } = linkedController(signal);
  const cancel = clock.after(limitMs, () => controller.abort(late()));
  try {
    return await unlessAborted(controller.signal, work(controller.signal));
  } finally {
    cancel();
    release();
  }
}
