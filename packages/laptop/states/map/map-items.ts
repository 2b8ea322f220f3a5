import type { MapState } from '../definition/machine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, brief } from '../engine/visit.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import { isJsonArray, type Json } from '../json.ts';
import { type Payload, payloadOf, withinLimit } from '../payload.ts';
import type { UnfinishedChild } from '../store/map-runs.ts';
import type { MapObjects } from './map-objects.ts';
import { readItems } from './read-items.ts';

/** Input with which a child execution of a Distributed Map starts. */
export interface ChildInput {
  /** Position among the children. */
  readonly index: number;
  readonly input: Payload;
  /** The child had begun when the stack ended, and goes on. */
  readonly begun?: UnfinishedChild;
}

/** The items of a Distributed Map: those that its reader finds in S3, or those of the state's input. */
export async function sourceItems(
  engine: Engine,
  objects: MapObjects,
  state: MapState,
  visit: Visit,
): Promise<readonly Json[]> {
  const { ItemReader, Items = '{% $states.input %}' } = state;
  const bindings = bindingsOf(visit);
  if (ItemReader)
    return readItems(
      objects,
      await engine.evaluate(ItemReader.Arguments ?? {}, 'ItemReader/Arguments', bindings),
    );
  const items = await engine.evaluate(Items, 'Items', bindings);
  if (isJsonArray(items)) return items;
  const source = typeof Items === 'string' ? Items : '$states.input';
  throw new EvaluationError('Items', source, `must give an array, gave ${brief(items)}.`);
}

/** One child an item, each item shaped when its turn comes. */
export async function* childInputs(
  engine: Engine,
  { ItemSelector }: MapState,
  visit: Visit,
  items: readonly Json[],
): AsyncGenerator<ChildInput, undefined> {
  for (const [Index, Value] of items.entries()) {
    const bindings = bindingsOf(visit, {}, { Map: { Item: { Index, Value } } });
    const item =
      ItemSelector === undefined ? Value : await engine.evaluate(ItemSelector, 'ItemSelector', bindings);
    const input = withinLimit(payloadOf(item), `input of the child execution ${Index}`);
    yield { index: Index, input };
  }
}
