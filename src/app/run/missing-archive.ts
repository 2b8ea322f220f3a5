import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { servedArchive } from '../../plan/endpoint/served-archive.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';

/** The URI of an archive that a plan needs, for its jobs or for an endpoint, and that is no longer kept; undefined if both are. */
export async function missingArchive(store: ObjectStore, { model }: Plan): Promise<string | undefined> {
  for (const { sha256 } of [model, servedArchive(model)]) {
    const kept = bucketLayout.model(sha256);
    if ((await store.describe(kept)) === undefined) return `s3://${store.bucket}/${kept}`;
  }
  return undefined;
}
