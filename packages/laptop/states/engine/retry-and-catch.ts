import type { Catcher, Retrier } from '../definition/fields.ts';
import type { JsonObject } from '../json.ts';
import { payloadOf } from '../payload.ts';
import { matchesError } from '../states-error.ts';
import type { Engine } from './engine.ts';
import type { Visit } from './thread.ts';
import { failureOf, leave, type Outcome } from './visit.ts';

interface Guarded {
  readonly Retry: readonly Retrier[];
  readonly Catch: readonly Catcher[];
}

/** Makes attempts until one succeeds, no retrier has one left, or a catcher takes the failure. */
export async function guarded(
  engine: Engine,
  state: Guarded,
  visit: Visit,
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  const used = new Map<Retrier, number>();
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      const failure = failureOf(visit, thrown);
      const retrier = state.Retry.find(({ ErrorEquals }) => matchesError(ErrorEquals, failure.error));
      const count = retrier ? (used.get(retrier) ?? 0) : 0;
      if (retrier && count < retrier.MaxAttempts) {
        used.set(retrier, count + 1);
        await engine.clock.sleep(retryDelayMs(retrier, count, engine.chance.random), visit.thread.signal);
        visit.retryCount++;
        continue;
      }
      const catcher = state.Catch.find(({ ErrorEquals }) => matchesError(ErrorEquals, failure.error));
      if (!catcher) throw failure;
      const errorOutput: JsonObject = {
        Error: failure.error ?? '',
        ...(failure.causeText === undefined ? {} : { Cause: failure.causeText }),
      };
      return leave(engine, visit, catcher, payloadOf(errorOutput), catcher.Next, { errorOutput });
    }
  }
}

/** The wait before retry number `count` (from 0). FULL jitter draws from 0 up to the backed-off delay. */
function retryDelayMs(retrier: Retrier, count: number, random: () => number): number {
  const backedOff = retrier.IntervalSeconds * retrier.BackoffRate ** count;
  const seconds = Math.min(backedOff, retrier.MaxDelaySeconds ?? Infinity, 99_999_999);
  return Math.round(seconds * 1000 * (retrier.JitterStrategy === 'FULL' ? random() : 1));
}
