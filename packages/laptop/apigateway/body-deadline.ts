import type { Clock } from '../kernel/clock.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

/** Time for a body: as long as an integration may take. */
const PATIENCE_MS = 30_000;

/**
 * Waits for work that reads a request's body, with a limit against callers who send it byte by byte.
 *
 * @throws {GatewayRefusal} 408
 */
export async function withinBodyTime<T>(clock: Clock, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(PATIENCE_MS, () =>
    late.reject(
      new GatewayRefusal(408, `the body did not arrive within ${PATIENCE_MS / 1000} seconds`, {
        connection: 'close',
      }),
    ),
  );
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
