import type { MapState } from '../definition/machine.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import { isJsonArray, type Json } from '../json.ts';
import { payloadOf } from '../payload.ts';
import { concurrently } from './concurrently.ts';
import type { Engine } from './engine.ts';
import { isAborted } from './is-aborted.ts';
import { Scope } from './scope.ts';
import { Thread, type Visit } from './thread.ts';
import { bindingsOf, brief, wholeNumber } from './visit.ts';

/** AWS's limit for iterations of one inline Map at a time. */
const MAX_AT_ONCE = 40;

/** Runs the processor for each item inside the execution itself. */
export async function runInlineMap(engine: Engine, state: MapState, visit: Visit): Promise<Json> {
  const { thread } = visit;
  const items = await itemsOf(engine, state, visit);
  const limit = await wholeNumber(
    engine,
    'MaxConcurrency',
    state.MaxConcurrency ?? 0,
    bindingsOf(visit),
    0,
    10_000,
  );
  const startedId = thread.log('MapStateStarted', { length: items.length });
  const results: Json[] = items.map(() => null);
  try {
    const atOnce = Math.min(limit === 0 ? MAX_AT_ONCE : limit, MAX_AT_ONCE);
    await concurrently(items.entries(), atOnce, thread.signal, async ([index, value], signal) => {
      const map = { Item: { Index: index, Value: value } };
      const input = payloadOf(await selectItem(engine, state, visit, value, map));
      const iteration = new Thread(thread.execution, {
        scope: new Scope(thread.scope),
        signal,
        map,
        lastEventId: startedId,
      });
      iteration.log('MapIterationStarted', { name: state.name, index });
      try {
        results[index] = (await engine.runBlock(state.processor, input, iteration)).value;
        iteration.log('MapIterationSucceeded', { name: state.name, index });
      } catch (error) {
        if (isAborted(signal)) iteration.log('MapIterationAborted', { name: state.name, index });
        else if (!signal.aborted) iteration.log('MapIterationFailed', { name: state.name, index });
        throw error;
      } finally {
        thread.lastEventId = iteration.lastEventId;
      }
    });
  } catch (error) {
    if (!thread.signal.aborted) thread.log('MapStateFailed');
    throw error;
  }
  thread.log('MapStateSucceeded');
  return results;
}

/** The array that `Items` gives, or the input itself. */
export async function itemsOf(engine: Engine, state: MapState, visit: Visit): Promise<readonly Json[]> {
  const items =
    state.Items === undefined ? visit.input : await engine.evaluate(state.Items, 'Items', bindingsOf(visit));
  if (isJsonArray(items)) return items;
  const source = typeof state.Items === 'string' ? state.Items : '$states.input';
  throw new EvaluationError('Items', source, `must give an array, gave ${brief(items)}.`);
}

/** What one iteration gets for its item. */
export async function selectItem(
  engine: Engine,
  state: MapState,
  visit: Visit,
  value: Json,
  map: { readonly Item: { readonly Index: number; readonly Value: Json } },
): Promise<Json> {
  return state.ItemSelector === undefined
    ? value
    : engine.evaluate(state.ItemSelector, 'ItemSelector', bindingsOf(visit, {}, { Map: map }));
}
