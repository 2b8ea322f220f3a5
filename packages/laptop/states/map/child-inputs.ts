import type { Json } from '../json.ts';
import { type Payload, PAYLOAD_LIMIT_BYTES, payloadOf, withinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { UnfinishedChild } from '../store/map-runs.ts';

/** What a child execution of a Distributed Map starts with: one item, or a batch of several. */
export interface ChildInput {
  /** Position among the children. */
  readonly index: number;
  readonly itemCount: number;
  readonly input: Payload;
  /** The child had begun when the stack ended, and goes on. */
  readonly begun?: UnfinishedChild;
}

interface Batching {
  readonly maxItems: number | undefined;
  readonly maxBytes: number | undefined;
  readonly batchInput: Json | undefined;
}

/** One child an item, each item shaped when its turn comes. */
export async function* singleInputs(
  items: readonly Json[],
  select: (value: Json, index: number) => Promise<Json>,
): AsyncGenerator<ChildInput, undefined> {
  for (const [index, item] of items.entries()) {
    const input = withinLimit(payloadOf(await select(item, index)), `input of the child execution ${index}`);
    yield { index, itemCount: 1, input };
  }
}

/** One child a batch: `{"Items": […]}`, beside the common `BatchInput`, never larger than its limit in bytes. */
export async function* batchedInputs(
  items: readonly Json[],
  select: (value: Json, index: number) => Promise<Json>,
  { maxItems = Infinity, maxBytes = PAYLOAD_LIMIT_BYTES, batchInput }: Batching,
): AsyncGenerator<ChildInput, undefined> {
  const frame = batchInput === undefined ? {} : { BatchInput: batchInput };
  const frameBytes = Buffer.byteLength(JSON.stringify({ ...frame, Items: [] }));
  let batch: Json[] = [];
  let bytes = frameBytes;
  let index = 0;
  const take = (): ChildInput => {
    const input = payloadOf({ ...frame, Items: batch });
    const child = { index: index++, itemCount: batch.length, input };
    batch = [];
    bytes = frameBytes;
    return child;
  };
  for (const [position, item] of items.entries()) {
    const value = await select(item, position);
    const size = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (frameBytes + size - 1 > maxBytes) {
      throw new StatesError(
        errorName.dataLimitExceeded,
        `Item ${position} does not fit in a batch: with its frame it has ${frameBytes + size - 1} bytes, MaxInputBytesPerBatch is ${maxBytes}.`,
      );
    }
    if (batch.length >= maxItems || (batch.length > 0 && bytes + size - 1 > maxBytes)) yield take();
    batch.push(value);
    bytes += size;
  }
  if (batch.length > 0) yield take();
}
