import type { ObjectStore } from '../../aws/object-store.ts';
import { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** The files that a generation took in, or that it took in none. */
export const frozenJson = jsonDocument({ key: bucketLayout.frozen, schema: Frozen, write: 'once' });

/** Writes `frozen.json` unless it exists, and returns the stored one. */
export async function freezeOnce(store: ObjectStore, run: RunParts, frozen: Frozen): Promise<Frozen> {
  if (await frozenJson(run).create(store, frozen)) return frozen;
  return (await frozenJson(run).read(store)) ?? frozen;
}
