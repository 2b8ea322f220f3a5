import { setTimeout as pause } from 'node:timers/promises';
import { isNamed, statusOf } from './aws-error.ts';

/** Cap on the attempts, the SDK's default. */
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = { transient: 100, throttled: 500 } as const;
const THROTTLES = ['Throttled', 'ModelNotReadyException'];
const PASSES = ['NetworkingError', 'ServiceUnavailable', 'InternalError', 'InternalDependencyException'];

/** Waits `ms` milliseconds; rejects with the signal's reason. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/**
 * Retries transient failures up to three attempts, with pauses of random length and a doubling upper bound, so that callers who
 * were refused together do not return together.
 */
export async function retried<T>(
  attempt: () => Promise<T>,
  signal?: AbortSignal,
  wait: Pause = (ms, ends) => pause(ms, undefined, ends && { signal: ends }),
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      const kind = kindOf(error);
      if (kind === undefined || number === MAX_ATTEMPTS) throw error;
      await wait(Math.random() * FIRST_PAUSE_MS[kind] * 2 ** (number - 1), signal);
    }
  }
}

function kindOf(error: unknown): keyof typeof FIRST_PAUSE_MS | undefined {
  const status = statusOf(error);
  if (status === 429 || isNamed(error, ...THROTTLES)) return 'throttled';
  return isNamed(error, ...PASSES) || (status !== undefined && status >= 500) ? 'transient' : undefined;
}
