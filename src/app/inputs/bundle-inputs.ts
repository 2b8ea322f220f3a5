import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { appendToTar } from '../../model/append-to-tar.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { BundleItem } from '../records/bundle-items.ts';
import { readBundleInputs } from '../records/bundles.ts';
import { neighbourReader } from '../records/open-input.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';

/** S3 answers a small read in about 25 ms. */
const READS_AT_ONCE = 32;

/**
 * State `BundleInputs`: writes one bundle of the inputs of a job, a tar. Its first file says how many inputs it has and of which type; each
 * other one is named for its place. An input that is gone by now is left out. Repeating an item writes the same again.
 */
export const bundleInputs = useCase({
  /** One item of the Distributed Map. */
  input: BundleItem,
  output: z.object({ bundle: z.int().nonnegative(), inputs: z.int().nonnegative() }),
})(async (item, { store }: { readonly store: ObjectStore }) => {
  const { run, list, bundle } = item;
  const [plan, inputs] = await Promise.all([planJson(run).require(store), readBundleInputs(store, item)]);
  const source = store.in(plan.input.bucket);
  const { contentType } = plan.transform;
  const about = Buffer.from(JSON.stringify({ inputs: inputs.length, contentType }));
  const files = [{ name: 'bundle.json', body: about }];
  let place = 0;
  for await (const [, body] of inOrder(inputs, READS_AT_ONCE, neighbourReader(source, inputs))) {
    if (body !== undefined) files.push({ name: String(place).padStart(6, '0'), body: Buffer.from(body) });
    place += 1;
  }
  const tar = await Array.fromAsync(appendToTar(nothing(), files));
  await store.write(bucketLayout.bundle(run, list, bundle), Buffer.concat(tar), {
    contentType: 'application/x-tar',
  });
  return { bundle, inputs: files.length - 1 };
});

/** A tar that is yet to have files. */
async function* nothing(): AsyncGenerator<Uint8Array> {}
