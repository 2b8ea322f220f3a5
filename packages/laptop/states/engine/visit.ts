import { type Bindings, EvaluationError } from '../expression/evaluate.ts';
import { isJsonArray, type Json, type JsonObject } from '../json.ts';
import { type Payload, payloadOf, withinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import { reasonOf } from './deadline.ts';
import type { Engine } from './engine.ts';
import { contextOf, type Visit } from './thread.ts';

/** Output, successor and assignments of a state. */
export interface Outcome {
  readonly output: Payload;
  /** The state that follows; undefined at the end of the block. */
  readonly next: string | undefined;
  readonly assigned: Readonly<Record<string, Json>>;
}

/** Bindings for the expressions of this visit: the variables and `$states`. */
export function bindingsOf(visit: Visit, extra: JsonObject = {}, context: JsonObject = {}): Bindings {
  return {
    ...visit.thread.scope.values(),
    states: { input: visit.input, context: contextOf(visit, context), ...extra },
  };
}

interface Leaving {
  readonly Output?: Json | undefined;
  readonly Assign?: Readonly<Record<string, Json>> | undefined;
}

/** Evaluates Output and Assign, both with the variables as they were, then assigns. */
export async function leave(
  engine: Engine,
  visit: Visit,
  fields: Leaving,
  result: Payload,
  next: string | undefined,
  extra: JsonObject = {},
): Promise<Outcome> {
  if (fields.Output === undefined && fields.Assign === undefined)
    return { output: result, next, assigned: {} };
  const bindings = bindingsOf(visit, extra);
  const output =
    fields.Output === undefined
      ? result
      : withinLimit(
          payloadOf(await engine.evaluate(fields.Output, 'Output', bindings)),
          `output of the state '${visit.stateName}'`,
        );
  const assigned: Record<string, Json> = {};
  for (const [name, template] of Object.entries(fields.Assign ?? {}))
    assigned[name] = await engine.evaluate(template, `Assign/${name}`, bindings);
  visit.thread.scope.assign(assigned);
  return { output, next, assigned };
}

/** A whole number that a field gives directly or by an expression. */
export async function wholeNumber(
  engine: Engine,
  field: string,
  value: number | string,
  bindings: Bindings,
  least: number,
  most: number,
): Promise<number> {
  const number = typeof value === 'number' ? value : await engine.evaluate(value, field, bindings);
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
    return number;
  throw new EvaluationError(
    field,
    String(value),
    `must give a whole number from ${least} to ${most}, gave ${brief(number)}.`,
  );
}

/** The kind of a value, for messages. */
export function brief(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : JSON.stringify(value).slice(0, 100);
}

/**
 * The failure of a visit in the language's own terms, recorded in the history where an expression caused it.
 *
 * @throws the signal's reason if the thread itself is being ended
 */
export function failureOf(visit: Visit, thrown: unknown): StatesError {
  const { thread } = visit;
  if (thread.signal.aborted) throw reasonOf(thread.signal);
  if (thrown instanceof EvaluationError) {
    const where = `An error occurred while executing the state '${visit.stateName}' (entered at the event id #${visit.enteredEventId}).`;
    const failure = new StatesError(thrown.error, `${where} ${thrown.causeText}`);
    thread.log('EvaluationFailed', {
      error: errorName.queryEvaluationError,
      cause: failure.causeText,
      location: thrown.location,
      state: visit.stateName,
    });
    return failure;
  }
  if (thrown instanceof StatesError) return thrown;
  throw thrown;
}
