import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Condition } from '../../problem/conditions.ts';
import { readLineBatches } from '../../text/json-lines.ts';

/**
 * Opens a file that an earlier step wrote and that may be long, from a place in it on.
 *
 * @throws `RunFileMissing`
 */
export async function openRunFile(
  store: ObjectStore,
  key: string,
  start = 0,
): Promise<AsyncIterable<Uint8Array>> {
  const end = start === 0 ? undefined : (await store.describe(key))?.size;
  const stream = await store.readStream(key, end === undefined ? undefined : { start, end });
  if (stream !== undefined) return stream;
  throw new Condition(
    'RunFileMissing',
    `${key} is not there: an earlier step of the run must have written it`,
  );
}

/** Items made of the JSON values of a file of lines, each with the place in bytes that follows it, in batches. */
export async function* readPlaced<Item>(
  store: ObjectStore,
  key: string,
  start: number,
  toItem: (value: unknown, end: number) => Item,
): AsyncGenerator<readonly Item[]> {
  let end = start;
  for await (const lines of readLineBatches(await openRunFile(store, key, start))) {
    const items: Item[] = [];
    for (const { line, bytes } of lines) {
      end += bytes;
      if (line !== '') items.push(toItem(JSON.parse(line), end));
    }
    yield items;
  }
}
