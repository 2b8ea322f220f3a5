import * as z from 'zod';
import type { MapState } from '../definition/machine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, brief, wholeNumber } from '../engine/visit.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import { isJsonArray, type Json, parseJson } from '../json.ts';
import { type Payload, payloadOf, withinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { UnfinishedChild } from '../store/map-runs.ts';
import type { MapObjects } from './map-objects.ts';

/** Items of a Distributed Map that one child may get. AWS names no other limit than the 256 KiB of an input. */
const MAX_BATCH = 99_999_999;

/** Input with which a child execution of a Distributed Map starts. */
export interface ChildInput {
  /** Position among the children. */
  readonly index: number;
  /** How many it works on. */
  readonly items: number;
  readonly input: Payload;
  /** The child had begun when the stack ended, and goes on. */
  readonly begun?: UnfinishedChild;
}

/** The items of a Distributed Map, found by its reader in S3 or taken from the state's input. */
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

/** One child an item, or a batch of items, each item shaped when its turn comes. */
export async function* childInputs(
  engine: Engine,
  state: MapState,
  visit: Visit,
  items: readonly Json[],
): AsyncGenerator<ChildInput, undefined> {
  const { ItemBatcher, ItemSelector } = state;
  const most =
    ItemBatcher &&
    (await wholeNumber(
      engine,
      'ItemBatcher/MaxItemsPerBatch',
      ItemBatcher.MaxItemsPerBatch,
      bindingsOf(visit),
      1,
      MAX_BATCH,
    ));
  let batch: Json[] = [];
  let index = 0;
  for (const [Index, Value] of items.entries()) {
    const bindings = bindingsOf(visit, {}, { Map: { Item: { Index, Value } } });
    const item =
      ItemSelector === undefined ? Value : await engine.evaluate(ItemSelector, 'ItemSelector', bindings);
    batch.push(item);
    if (batch.length < (most ?? 1) && Index < items.length - 1) continue;
    const input = payloadOf(most === undefined ? item : { Items: batch });
    yield { index, items: batch.length, input: withinLimit(input, `input of the child execution ${index}`) };
    batch = [];
    index += 1;
  }
}

const Place = z.strictObject({ Bucket: z.string(), Key: z.string() });

/**
 * Reads the items of a Distributed Map from a JSON array in S3.
 *
 * @throws {StatesError} `States.ItemReaderFailed`
 */
async function readItems(objects: MapObjects, args: Json): Promise<readonly Json[]> {
  try {
    const place = Place.safeParse(args);
    if (!place.success)
      throw new Error(`The ItemReader's Arguments are not valid: ${z.prettifyError(place.error)}`);
    const items = parseJson(await objects.read(place.data.Bucket, place.data.Key));
    if (isJsonArray(items)) return items;
    throw new Error('the JSON document is not an array');
  } catch (error) {
    throw new StatesError(errorName.itemReaderFailed, error instanceof Error ? error.message : String(error));
  }
}
