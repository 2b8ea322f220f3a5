import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout, listFolder } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { toJsonLine } from '../../text/json-lines.ts';
import { BundleCutter, type CutBundle } from '../../transform/bundle-cutter.ts';
import type { BundleBounds } from '../../transform/request-limits.ts';
import { type BundleItem, bundleItemsJson, readBundleItems } from './bundle-items.ts';
import { readInputLine, toInput } from './input-line.ts';
import { writeJobInputs } from './jobs.ts';

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

/** Lists the inputs of a job, and the bundles that they are cut into: neighbours, as many as both caps allow. */
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

/** The folders of all lists of a run's inputs that are cut into bundles: those of its parts, then those of further attempts. */
export async function bundleLists(store: ObjectStore, run: RunParts): Promise<readonly string[]> {
  const lists: string[] = [];
  for (const folder of [bucketLayout.parts(run), bucketLayout.jobs(run)]) {
    const numbers: number[] = [];
    for await (const { key } of store.list(folder)) {
      const number = /^(\d+)\/bundles\.json$/.exec(key.slice(folder.length))?.[1];
      if (number !== undefined) numbers.push(Number(number));
    }
    const name = folder.slice(bucketLayout.run(run).length);
    lists.push(...numbers.sort((a, b) => a - b).map((number) => `${name}${number}`));
  }
  return lists;
}

/** Key of the first bundle of a list that is not made; undefined where all are. */
export async function missingBundle(
  store: ObjectStore,
  run: RunParts,
  list: string,
): Promise<string | undefined> {
  const items = await readBundleItems(store, run, list);
  const made = new Set<string>();
  for await (const { key } of store.list(`${bucketLayout.bundles(run)}${list}/`)) made.add(key);
  return items.map(({ bundle }) => bucketLayout.bundle(run, list, bundle)).find((key) => !made.has(key));
}

/**
 * The inputs of one bundle, or of neighbouring ones, in their order.
 *
 * @throws `RunFileMissing`
 */
export async function readBundleInputs(
  store: ObjectStore,
  { run, list, start, end }: Pick<BundleItem, 'run' | 'list' | 'start' | 'end'>,
): Promise<Input[]> {
  const lines = await readListLines(store, { run, list, start, end });
  return lines.map((line) => toInput(readInputLine(JSON.parse(line))));
}

/**
 * The names of these inputs: a tenth of the time that it takes to check all that is known of them.
 *
 * @throws `RunFileMissing`
 */
export async function readBundleNames(
  store: ObjectStore,
  range: Pick<BundleItem, 'run' | 'list' | 'start' | 'end'>,
): Promise<string[]> {
  const lines = await readListLines(store, range);
  return lines.map((line) => plainNameOf(line) ?? readInputLine(JSON.parse(line)).key);
}

const BEFORE_NAME = '{"key":"';

/** The name at the beginning of a line; undefined if it has a character that JSON escapes. */
function plainNameOf(line: string): string | undefined {
  if (!line.startsWith(BEFORE_NAME)) return undefined;
  const name = line.slice(BEFORE_NAME.length, line.indexOf('"', BEFORE_NAME.length));
  return name.includes('\\') ? undefined : name;
}

async function readListLines(
  store: ObjectStore,
  { run, list, start, end }: Pick<BundleItem, 'run' | 'list' | 'start' | 'end'>,
): Promise<string[]> {
  const key = bucketLayout.sentInputs(run, list);
  const bytes = await store.readBytes(key, { start, end });
  if (bytes === undefined)
    throw new Condition(
      'RunFileMissing',
      `${key} is not there: an earlier step of the run must have written it`,
    );
  return Buffer.from(bytes).toString().split('\n').filter(Boolean);
}
