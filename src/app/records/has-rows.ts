import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';

/** Whether a run left rows to compare with, and retention has not taken them. */
export async function hasRows(store: ObjectStore, run: RunParts): Promise<boolean> {
  const found = await Promise.all([
    store.describe(bucketLayout.plan(run)),
    store.describe(bucketLayout.shards(run)),
    store.describe(bucketLayout.rows(run, 0)),
  ]);
  return found.every((object) => object !== undefined);
}
