import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import type { CutBundle } from '../../transform/bundle-cutter.ts';
import { jsonDocument } from './document.ts';

const Count = z.int().nonnegative();

/** One bundle of the inputs of a job; also an item of a Distributed Map. */
export const BundleItem = z.object({
  run: RunParts,
  /** Folder of the job's inputs below the run: `parts/1`, `jobs/4`. */
  list: z.string().regex(/^(?:parts|jobs)\/\d+$/),
  bundle: Count,
  start: Count,
  end: Count,
  inputs: Count,
  bytes: Count,
  first: z.string(),
  last: z.string(),
}) satisfies z.ZodType<CutBundle>;
export type BundleItem = z.infer<typeof BundleItem>;

/** Where a bundle's inputs are: what a child of a Distributed Map gets of its item. Keys may be too long for a state. */
const BundlePlace = BundleItem.pick({ run: true, list: true, bundle: true, start: true, end: true });
export type BundlePlace = z.infer<typeof BundlePlace>;

/** Bundles of one list, as ItemBatcher passes them to a child. */
export const BundleBatch = z.object({ Items: z.tuple([BundlePlace], BundlePlace) });

/** `bundles.json`: the bundles of a list in their order, as Step Functions reads them. */
export const bundleItemsJson = jsonDocument({
  key: bucketLayout.bundleItems,
  schema: z.array(BundleItem.extend({ run: z.string() })),
  write: 'replace',
});

/**
 * The bundles of a list, in their order.
 *
 * @throws `RunFileMissing`
 */
export async function readBundleItems(
  store: ObjectStore,
  run: RunParts,
  list: string,
): Promise<readonly CutBundle[]> {
  return bundleItemsJson(run, list).require(store);
}
