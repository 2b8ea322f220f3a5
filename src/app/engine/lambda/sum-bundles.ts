import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { PREDICT_TIMEOUT_MS } from '../../../transform/predict-function.ts';
import { readBundleHead } from '../../outputs/bundle-head.ts';
import { readBundleItems } from '../../records/bundle-items.ts';
import { shardProgress } from '../../records/shards.ts';

const READS_AT_ONCE = 64;

/** The bundles of a job, summed up from the first lines of their answers. */
interface BundleSum {
  readonly bundles: number;
  /** Bundles without answers. */
  readonly missing: number;
  /** Inputs without an answer in the answered bundles. */
  readonly failed: number;
  /** Bundles without answers that a function may be at: it is not ended with its execution. */
  readonly underWay: number;
  /** Memory times time of work, in GB and milliseconds. */
  readonly gigabyteMs: number;
}

/** Sums up what the functions of a job have done: 500,000 inputs are some hundred reads. */
export async function sumBundles(
  store: ObjectStore,
  run: RunParts,
  list: string,
  now: Date,
): Promise<BundleSum> {
  const items = await readBundleItems(store, run, list);
  const written = new Map<string, number>();
  for await (const { key, size } of store.list(bucketLayout.listOutputs(run, list))) written.set(key, size);
  const sum = { bundles: items.length, missing: 0, failed: 0, underWay: 0, gigabyteMs: 0 };
  const heads = inOrder(items, READS_AT_ONCE, async ({ bundle }) => {
    const output = bucketLayout.bundleOutput(run, list, bundle);
    const head = await readBundleHead(store, { output, outputBytes: written.get(output) });
    return head ?? (await shardProgress(run, list, bundle).read(store));
  });
  for await (const [, found] of heads) {
    if (found === undefined || !('failed' in found)) sum.missing += 1;
    else sum.failed += found.failed.length;
    let ms = found?.ms ?? 0;
    if (found !== undefined && 'trying' in found && (found.trying !== null || found.opening)) {
      const triedMs = now.getTime() - Date.parse(found.triedAt);
      if (triedMs < PREDICT_TIMEOUT_MS) sum.underWay += 1;
      ms += Math.min(triedMs, PREDICT_TIMEOUT_MS);
    }
    sum.gigabyteMs += (ms * (found?.memoryMB ?? 0)) / 1024;
  }
  return sum;
}
