import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { type BundleItem, readBundleItems } from './bundle-items.ts';
import { readInputLine, toInput } from './input-line.ts';

/** The folders of all lists of a run's inputs that are cut into bundles: first its parts', then further attempts'. */
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

/** Key of the first missing bundle of a list; undefined if all are there. */
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
 * The inputs of one bundle, or of neighboring ones, in their order.
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
