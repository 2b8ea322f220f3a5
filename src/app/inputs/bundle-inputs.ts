import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { bundleBody } from '../../transform/bundle-body.ts';
import { BUNDLE_TYPES } from '../../transform/request-limits.ts';
import { BundleBatch, type BundlePlace } from '../records/bundle-items.ts';
import { readBundleInputs } from '../records/bundles.ts';
import { neighborReader } from '../records/open-input.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';

/** S3 answers a small read in about 25 ms. */
const READS_AT_ONCE = 32;

interface BundleServices {
  readonly store: ObjectStore;
}

/**
 * State `BundleInputs`: writes bundles of the inputs of a job. An input that is gone by now is left out. Repeating a batch
 * writes the same again.
 */
export const bundleInputs = useCase({
  input: BundleBatch,
  output: z.object({ bundles: z.int().nonnegative(), inputs: z.int().nonnegative() }),
})(async ({ Items: items }, { store }: BundleServices) => {
  const plan = await planJson(items[0].run).require(store);
  let inputs = 0;
  for (const item of items) inputs += await writeBundle(store, item, plan);
  return { bundles: items.length, inputs };
});

/** Writes a bundle, and gives the number of its inputs. */
async function writeBundle(store: ObjectStore, item: BundlePlace, plan: Plan): Promise<number> {
  const { run, list, bundle } = item;
  const inputs = await readBundleInputs(store, item);
  const source = store.in(plan.input.bucket);
  const bodies: (Buffer | undefined)[] = [];
  for await (const [, body] of inOrder(inputs, READS_AT_ONCE, neighborReader(source, inputs)))
    bodies.push(body && Buffer.from(body));
  const form = plan.bundle?.form ?? 'tar';
  if (form === 'list') throw new RangeError(`${plan.run} sends no bundles`);
  const written = await bundleBody(form, plan.transform.contentType, bodies);
  const type = BUNDLE_TYPES[form];
  const key = bucketLayout.bundle(run, list, bundle);
  await store.write(key, written, type === undefined ? {} : { contentType: type });
  return bodies.filter((body) => body !== undefined).length;
}
