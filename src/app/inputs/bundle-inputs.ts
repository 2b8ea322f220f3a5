import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { bundleBody } from '../../transform/bundle-body.ts';
import { BUNDLE_TYPES } from '../../transform/request-limits.ts';
import { BundleItem } from '../records/bundle-items.ts';
import { readBundleInputs } from '../records/bundles.ts';
import { neighbourReader } from '../records/open-input.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';

/** S3 answers a small read in about 25 ms. */
const READS_AT_ONCE = 32;

/**
 * State `BundleInputs`: writes one bundle of the inputs of a job. An input that is gone by now is left out. Repeating an
 * item writes the same again.
 */
export const bundleInputs = useCase({
  /** One item of the Distributed Map. */
  input: BundleItem,
  output: z.object({ bundle: z.int().nonnegative(), inputs: z.int().nonnegative() }),
})(async (item, { store }: { readonly store: ObjectStore }) => {
  const { run, list, bundle } = item;
  const [plan, inputs] = await Promise.all([planJson(run).require(store), readBundleInputs(store, item)]);
  const source = store.in(plan.input.bucket);
  const bodies: (Buffer | undefined)[] = [];
  for await (const [, body] of inOrder(inputs, READS_AT_ONCE, neighbourReader(source, inputs)))
    bodies.push(body && Buffer.from(body));
  const form = plan.bundle?.form ?? 'tar';
  if (form === 'list') throw new RangeError(`${plan.run} sends no bundles`);
  const written = await bundleBody(form, plan.transform.contentType, bodies);
  const type = BUNDLE_TYPES[form];
  const key = bucketLayout.bundle(run, list, bundle);
  await store.write(key, written, type === undefined ? {} : { contentType: type });
  return { bundle, inputs: bodies.filter((body) => body !== undefined).length };
});
