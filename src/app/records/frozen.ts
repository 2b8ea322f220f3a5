import type { ObjectStore } from '../../aws/object-store.ts';
import { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** What a generation has taken in, or that it took in nothing. */
export const frozenJson = jsonDocument({ key: bucketLayout.frozen, schema: Frozen, write: 'once' });

/** Writes `frozen.json` if it is not there, and returns what stands there then. */
export async function freezeOnce(store: ObjectStore, run: RunParts, frozen: Frozen): Promise<Frozen> {
  if (await frozenJson(run).create(store, frozen)) return frozen;
  return (await frozenJson(run).read(store)) ?? frozen;
}
