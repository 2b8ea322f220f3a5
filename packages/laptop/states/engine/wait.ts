import type { WaitState } from '../definition/machine.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import type { Payload } from '../payload.ts';
import type { Engine } from './engine.ts';
import type { Visit } from './thread.ts';
import { bindingsOf, brief, leave, type Outcome, wholeNumber } from './visit.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Waits until `Seconds` after the state was entered, or until `Timestamp`; a moment that has passed does not wait. */
export async function runWait(
  engine: Engine,
  state: WaitState,
  visit: Visit,
  input: Payload,
): Promise<Outcome> {
  const delayMs = await delayOf(engine, state, visit);
  if (delayMs > 0) await engine.clock.sleep(delayMs, visit.thread.signal);
  return leave(engine, visit, state, input, state.Next);
}

async function delayOf(engine: Engine, state: WaitState, visit: Visit): Promise<number> {
  const bindings = bindingsOf(visit);
  if (state.Seconds !== undefined) {
    const waitMs = 1000 * (await wholeNumber(engine, 'Seconds', state.Seconds, bindings, 0, 99_999_999));
    // The stack may have ended meanwhile, and the clock been put back: that makes no wait longer.
    return Math.min(waitMs, Date.parse(visit.enteredTime) + waitMs - engine.clock.now());
  }
  const field = state.Timestamp ?? '';
  const text = await engine.evaluate(field, 'Timestamp', bindings);
  if (typeof text === 'string' && TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text)))
    return Date.parse(text) - engine.clock.now();
  throw new EvaluationError(
    'Timestamp',
    field,
    `must give an ISO 8601 date with time and zone, gave ${brief(text)}.`,
  );
}
