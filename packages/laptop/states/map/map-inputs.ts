import type { MapState } from '../definition/machine.ts';
import type { Engine } from '../engine/engine.ts';
import { itemsOf, selectItem } from '../engine/inline-map.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, wholeNumber } from '../engine/visit.ts';
import type { Json } from '../json.ts';
import { PAYLOAD_LIMIT_BYTES } from '../payload.ts';
import type { SdkCalls } from '../tasks/sdk-calls.ts';
import { batchedInputs, type ChildInput, singleInputs } from './child-inputs.ts';
import { readItems } from './read-items.ts';

/** The items of a Distributed Map: those that its reader finds in S3, or those of the state's input. */
export async function sourceItems(
  engine: Engine,
  sdk: SdkCalls,
  state: MapState,
  visit: Visit,
): Promise<readonly Json[]> {
  const reader = state.ItemReader;
  if (!reader) return itemsOf(engine, state, visit);
  const bindings = bindingsOf(visit);
  const args = await engine.evaluate(reader.Arguments ?? {}, 'ItemReader/Arguments', bindings);
  const most = reader.ReaderConfig?.MaxItems;
  const maxItems =
    most === undefined
      ? undefined
      : await wholeNumber(engine, 'ItemReader/ReaderConfig/MaxItems', most, bindings, 1, 100_000_000);
  return readItems(sdk, reader, args, maxItems);
}

/** What each child gets, made when its turn comes. */
export async function childInputs(
  engine: Engine,
  state: MapState,
  visit: Visit,
  items: readonly Json[],
): Promise<AsyncGenerator<ChildInput, undefined>> {
  const select = (value: Json, index: number): Promise<Json> =>
    selectItem(engine, state, visit, value, { Item: { Index: index, Value: value } });
  const batcher = state.ItemBatcher;
  if (!batcher) return singleInputs(items, select);
  const bindings = bindingsOf(visit);
  const { MaxItemsPerBatch: maxItems, MaxInputBytesPerBatch: maxBytes, BatchInput } = batcher;
  return batchedInputs(items, select, {
    maxItems:
      maxItems === undefined
        ? undefined
        : await wholeNumber(engine, 'ItemBatcher/MaxItemsPerBatch', maxItems, bindings, 1, 100_000_000),
    maxBytes:
      maxBytes === undefined
        ? undefined
        : await wholeNumber(
            engine,
            'ItemBatcher/MaxInputBytesPerBatch',
            maxBytes,
            bindings,
            1,
            PAYLOAD_LIMIT_BYTES,
          ),
    batchInput:
      BatchInput === undefined
        ? undefined
        : await engine.evaluate(BatchInput, 'ItemBatcher/BatchInput', bindings),
  });
}
