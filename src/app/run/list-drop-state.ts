import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type DropState, openGeneration, readDropState, type StateObject } from '../../drop/drop-state.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DropParts } from '../../run/run-id.ts';
import { pulseMark } from '../records/drop.ts';

/** The state of a drop from the generation `from` on, or from its first. */
export async function listDropState(
  store: ObjectStore,
  drop: DropParts,
  from: string | undefined,
): Promise<DropState> {
  const prefix = bucketLayout.stateOf(drop);
  const objects: StateObject[] = [];
  // `/` comes before every name below the folder: the generation itself is listed too.
  const startAfter = from === undefined ? {} : { startAfter: `${prefix}${from}/` };
  for await (const object of store.list(prefix, startAfter)) objects.push(object);
  return readDropState(drop, objects);
}

/** The generation that takes in files which are uploaded to a drop now. */
export async function findOpenGeneration(store: ObjectStore, drop: DropParts): Promise<string> {
  const pulse = await pulseMark(drop).read(store);
  return openGeneration(await listDropState(store, drop, pulse?.shut));
}
