import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { type AddedFile, appendToTar } from '../../model/append-to-tar.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { BUNDLE_TYPES } from '../../transform/request-limits.ts';
import { BundleItem } from '../records/bundle-items.ts';
import { readBundleInputs } from '../records/bundles.ts';
import { neighbourReader } from '../records/open-input.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';

/** S3 answers a small read in about 25 ms. */
const READS_AT_ONCE = 32;

/**
 * State `BundleInputs`: writes one bundle of the inputs of a job: a tar or texts, which begin with how many inputs there are and of which type, or lines.
 * An input that is gone by now is left out. Repeating an item writes the same again.
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
  const about = JSON.stringify({ inputs: inputs.length, contentType });
  const bodies: (Buffer | undefined)[] = [];
  for await (const [, body] of inOrder(inputs, READS_AT_ONCE, neighbourReader(source, inputs)))
    bodies.push(body && Buffer.from(body));
  const form = plan.bundle?.form ?? 'tar';
  const written =
    form === 'tar'
      ? await toTar(about, bodies)
      : form === 'lines'
        ? toLines(bodies)
        : toRecords(about, bodies);
  const type = BUNDLE_TYPES[form];
  const key = bucketLayout.bundle(run, list, bundle);
  await store.write(key, written, type === undefined ? {} : { contentType: type });
  return { bundle, inputs: bodies.filter((body) => body !== undefined).length };
});

/** Files named for their places; the first one is about all. */
async function toTar(about: string, bodies: readonly (Buffer | undefined)[]): Promise<Buffer> {
  const files: AddedFile[] = [{ name: 'bundle.json', body: Buffer.from(about) }];
  for (const [place, body] of bodies.entries())
    if (body !== undefined) files.push({ name: String(place).padStart(6, '0'), body });
  return Buffer.concat(await Array.fromAsync(appendToTar(nothing(), files)));
}

/** Records as they are, without one that is gone. */
function toLines(bodies: readonly (Buffer | undefined)[]): string {
  return bodies.map((body) => (body === undefined ? '' : `${body.toString()}\n`)).join('');
}

/** Lines of JSON: texts, since a record may hold line breaks; null for one that is gone. */
function toRecords(about: string, bodies: readonly (Buffer | undefined)[]): string {
  const lines = bodies.map((body) => JSON.stringify(body?.toString() ?? null));
  return [about, ...lines].map((line) => `${line}\n`).join('');
}

/** A tar that is yet to have files. */
async function* nothing(): AsyncGenerator<Uint8Array> {}
