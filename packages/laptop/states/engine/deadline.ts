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

/** Waits for the work until the signal aborts, and no longer than `limitMs`, after which it throws `late()`. No limit, no timer. */
export async function withDeadline<Result>(
  clock: Clock,
  limitMs: number | undefined,
  signal: AbortSignal,
  late: () => Error,
  work: () => Promise<Result>,
): Promise<Result> {
  if (limitMs === undefined) return unlessAborted(signal, work());
  const { controller, release } = linkedController(signal);
  const cancel = clock.after(limitMs, () => controller.abort(late()));
  try {
    return await unlessAborted(controller.signal, work());
  } finally {
    cancel();
    release();
  }
}
