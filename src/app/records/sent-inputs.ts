import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout, listFolder } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { toJsonLine } from '../../text/json-lines.ts';
import { BundleCutter, type CutBundle } from '../../transform/bundle-cutter.ts';
import type { BundleBounds } from '../../transform/request-limits.ts';
import { bundleItemsJson } from './bundle-items.ts';
import { writeJobInputs } from './job-inputs.ts';

/** Writes the inputs of a job: each as an object of its own, or cut into bundles. */
export async function writeSentInputs(
  store: ObjectStore,
  run: RunParts,
  { input, bundle }: Pick<Plan, 'input' | 'bundle'>,
  { key, inputs }: { readonly key: string; readonly inputs: AsyncIterable<Input> },
): Promise<void> {
  async function* names(): AsyncGenerator<string> {
    for await (const { name } of inputs) yield name;
  }
  if (bundle === null) await writeJobInputs(store, key, input, names());
  else await writeBundleList(store, run, { list: listFolder(run, key), inputs, most: bundle });
}

/** Lists the inputs of a job, and the bundles that they are cut into: neighbors, as many as both caps allow. */
async function writeBundleList(
  store: ObjectStore,
  run: RunParts,
  {
    list,
    inputs,
    most,
  }: { readonly list: string; readonly inputs: AsyncIterable<Input>; readonly most: BundleBounds },
): Promise<void> {
  const cutter = new BundleCutter(most);
  async function* lines(): AsyncGenerator<string> {
    for await (const input of inputs) {
      const { name: key, content: etag, size, lastModified, member } = input;
      const line = toJsonLine({ key, size, etag, lastModified, member });
      cutter.add(input, Buffer.byteLength(line));
      yield line;
    }
  }
  await store.writeStream(bucketLayout.sentInputs(run, list), lines(), { contentType: 'application/jsonl' });
  await writeItems(store, run, list, cutter.finish());
}

/** Writes the bundles of a list, and the input manifest of a job that reads them. */
async function writeItems(
  store: ObjectStore,
  run: RunParts,
  list: string,
  bundles: readonly CutBundle[],
): Promise<void> {
  const items = bundles.map((bundle) => ({ ...bundle, run: toRunId(run), list }));
  await bundleItemsJson(run, list).write(store, items);
  await placeBundles(store, run, list, bundles);
}

/** Writes the input manifest of a job that reads the bundles of a list. */
export async function placeBundles(
  store: ObjectStore,
  run: RunParts,
  list: string,
  bundles: readonly CutBundle[],
): Promise<void> {
  const keys = bundles.map(({ bundle }) => bucketLayout.bundle(run, list, bundle));
  const prefix = bucketLayout.bundles(run);
  const manifest = bucketLayout.inputManifest(run, list);
  await writeJobInputs(store, manifest, { bucket: store.bucket, prefix }, keys);
}

/** Gives a job of a run the bundles of a job of another run of the same inputs; jobs are known by the keys of their inputs. */
export async function copyBundleList(
  store: ObjectStore,
  of: RunParts,
  from: string,
  run: RunParts,
  to: string,
): Promise<void> {
  const [source, list] = [listFolder(of, from), listFolder(run, to)];
  const key = bucketLayout.sentInputs(of, source);
  await store.copy({ bucket: store.bucket, key }, bucketLayout.sentInputs(run, list));
  await writeItems(store, run, list, await bundleItemsJson(of, source).require(store));
}
