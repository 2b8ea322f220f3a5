import type { ObjectStore } from '../../aws/object-store.ts';
import { Condition } from '../../problem/conditions.ts';

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
