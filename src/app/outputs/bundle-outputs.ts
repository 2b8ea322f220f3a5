import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder, takeInOrder } from '../../concurrency/in-order.ts';
import { listFolder } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { BundleHead } from '../../transform/output-bundle.ts';
import type { Answer, Failure } from '../../transform/reconcile-chunk.ts';
import { isCertainRefusal } from '../../transform/repeated-failure.ts';
import { readBundleNames } from '../records/bundles.ts';
import { readSentBundles, type SentBundle, type SentBundles } from './bundle-lists.ts';
import { type BundleLayout, BundleReader } from './bundle-reader.ts';
import type { FoundAnswers, Outputs } from './outputs.ts';

const READS_AT_ONCE = 16;
/**
 * Neighboring bundles with heads and inputs that are read at once, and such groups: four chunks of a comparison do so at a time,
 * and the client has 50 connections.
 */
const NEIGHBORS = 6;
const GROUPS_AT_ONCE = 2;
/** Bundles that are read while the answers of the one before are used. */
const BUNDLES_AT_ONCE = 4;
/** Bundles to read notes from, all over the run: a container's notes are in all of its bundles. */
const NOTED_BUNDLES = 64;
/** The place of a group in listings of objects, which bundles do not have. */
const ANY_PLACE = { outputsAfter: undefined, foreign: [] };

/** Answers in bundles: an object for many neighboring inputs. */
export function bundleOutputs(
  store: ObjectStore,
  run: RunParts,
  continues: RunParts | undefined,
  layout: BundleLayout,
): Outputs {
  const reader = new BundleReader(store, layout);
  const headOf = (bundle: SentBundle): ReturnType<BundleLayout['head']> => layout.head(bundle, store);
  let listed: Promise<SentBundles> | undefined;
  const sent = (): Promise<SentBundles> => (listed ??= readAllBundles(store, run, continues));
  const findAnswers = (names: readonly string[]): Promise<FoundAnswers> =>
    sent().then((bundles) => findIn({ store, reader, layout }, bundles, names));
  return {
    isTooLong: () => false,
    async *groups(inputs, size) {
      let entries = [];
      for await (const entry of inputs) {
        if (entries.length >= size) {
          yield groupOf(entries, false, findAnswers);
          entries = [];
        }
        entries.push(entry);
      }
      yield groupOf(entries, true, findAnswers);
    },
    async *lookUp(names) {
      const wanted = [...names];
      const { answers } = await findAnswers(wanted.toSorted(compareByteOrder));
      for (const name of wanted) yield [name, answers.get(name)] as const;
    },
    async read(place) {
      if (place === undefined) return undefined;
      const { key, index } = placeOf(place);
      return (await reader.open(key))?.answer(index);
    },
    readEach: (entries, atOnce, take) =>
      takeInOrder(
        neighborsIn(entries),
        Math.min(atOnce, BUNDLES_AT_ONCE),
        async ({ key }) => (key === undefined ? undefined : reader.open(key)),
        ({ members }, bundle) => {
          for (const { entry, index } of members)
            take(entry, index === undefined ? undefined : bundle?.answer(index));
        },
      ),
    dependence: () => reader.dependence,
    async notes() {
      const { lists } = await sent();
      const answered = lists.flat().filter(({ outputBytes }) => outputBytes !== undefined);
      const step = Math.max(1, Math.floor(answered.length / NOTED_BUNDLES));
      const looked = answered.filter((_, at) => at % step === 0);
      const notes = new Set<string>();
      for await (const [, head] of inOrder(looked, READS_AT_ONCE, headOf))
        for (const note of head?.notes ?? []) notes.add(note);
      return [...notes];
    },
    async count(_job, plan) {
      const { lists } = await readSentBundles(store, run, false);
      const done = lists
        .flat()
        .reduce((sum, { inputs, outputBytes }) => sum + (outputBytes === undefined ? 0 : inputs), 0);
      return { done: Math.min(done, plan.objects), total: plan.objects, approximate: false };
    },
    async settle({ input }, heads, most) {
      if (!layout.tellsRefusals) return heads;
      const list = listFolder(run, input);
      const known = new Set(heads.read);
      const { lists } = await readSentBundles(store, run, false);
      const further = lists
        .flat()
        .filter((one) => one.list === list && one.outputBytes !== undefined && !known.has(one.bundle));
      const sum = { ...heads, read: [...heads.read] };
      for await (const [{ bundle }, head] of inOrder(further.slice(0, most), READS_AT_ONCE, headOf)) {
        sum.read.push(bundle);
        if (head === undefined) continue;
        sum.answered += head.inputs - head.failed.length;
        sum.refused += head.failed.filter(([, status]) => isCertainRefusal(status)).length;
      }
      return sum;
    },
    written: () => Promise.resolve(undefined),
    async hasAny({ input }) {
      const list = listFolder(run, input);
      const { lists } = await readSentBundles(store, run, false);
      for (const bundle of lists.flat()) {
        if (bundle.list !== list || bundle.outputBytes === undefined) continue;
        const head = await headOf(bundle);
        if (head !== undefined && head.failed.length < head.inputs) return true;
      }
      return false;
    },
  };
}

function groupOf<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  isLast: boolean,
  findAnswers: (names: readonly string[]) => Promise<FoundAnswers>,
) {
  return {
    entries,
    next: isLast ? undefined : ANY_PLACE,
    find: () => findAnswers(entries.map(({ name }) => name)),
  };
}

async function readAllBundles(
  store: ObjectStore,
  run: RunParts,
  continues: RunParts | undefined,
): Promise<SentBundles> {
  const own = await readSentBundles(store, run, false);
  if (continues === undefined) return own;
  const earlier = await readSentBundles(store, continues, true);
  // What the run itself has answered counts before what the other one has.
  return { lists: [...earlier.lists, ...own.lists], unexplained: own.unexplained };
}

async function findIn(
  {
    store,
    reader,
    layout,
  }: { readonly store: ObjectStore; readonly reader: BundleReader; readonly layout: BundleLayout },
  { lists, unexplained }: SentBundles,
  names: readonly string[],
): Promise<FoundAnswers> {
  const answers = new Map<string, Answer>();
  const failures = new Map<string, Failure>();
  for (const list of lists) {
    const heads = inOrder(neighborsOf(list, names), GROUPS_AT_ONCE, (bundles) =>
      Promise.all([
        Promise.all(bundles.map((bundle) => layout.head(bundle, store))),
        readBundleNames(store, rangeOf(bundles)),
      ]),
    );
    for await (const [bundles, [found, inputs]] of heads) {
      let from = 0;
      for (const [at, bundle] of bundles.entries()) {
        const head = found[at];
        const own = inputs.slice(from, (from += bundle.inputs));
        if (head === undefined) continue;
        if (head.inputs !== bundle.inputs) return { answers, failures, unexplained: bundle.output };
        const failed = await failuresOf(reader, bundle, head);
        const bytes = Math.ceil((bundle.outputBytes ?? 0) / Math.max(1, head.inputs));
        for (const [index, name] of own.entries()) {
          const failure = failed.get(index);
          if (failure !== undefined) failures.set(name, failure);
          else answers.set(name, toAnswer(bundle, layout.placeOf(index, bundle), bytes));
        }
      }
    }
  }
  return { answers, failures, unexplained };
}

function toAnswer({ output, isEarlier }: SentBundle, index: number, bytes: number): Answer {
  const key = `${output}#${index}`;
  return isEarlier ? { key, bytes, isEarlier } : { key, bytes };
}

/** The bundle that an answer lies in, and its place there. */
function placeOf(place: string): { readonly key: string; readonly index: number } {
  const at = place.lastIndexOf('#');
  return { key: place.slice(0, at), index: Number(place.slice(at + 1)) };
}

interface Neighbors<Entry> {
  readonly key: string | undefined;
  /** Entries without an answer have no place. */
  readonly members: readonly { readonly entry: Entry; readonly index: number | undefined }[];
}

/** Neighboring entries with answers in the same bundle. */
function* neighborsIn<Entry extends { readonly output?: string | undefined }>(
  entries: Iterable<Entry>,
): Generator<Neighbors<Entry>> {
  let key: string | undefined;
  let members: Neighbors<Entry>['members'][number][] = [];
  for (const entry of entries) {
    const place = entry.output === undefined ? undefined : placeOf(entry.output);
    if (place !== undefined && place.key !== key) {
      if (members.length > 0) yield { key, members };
      [key, members] = [place.key, []];
    }
    members.push({ entry, index: place?.index });
  }
  if (members.length > 0) yield { key, members };
}

/** Why inputs of a bundle have no answer, by their place in it; more than its head is only read if there are any. */
async function failuresOf(
  reader: BundleReader,
  { output }: SentBundle,
  { failed }: BundleHead,
): Promise<ReadonlyMap<number, Failure>> {
  if (failed.length === 0) return new Map();
  const bundle = await reader.open(output);
  return new Map(
    failed.map(([index, status]) => {
      const message = (bundle?.message(index) ?? '').replace(/\s+/g, ' ').trim();
      const said = `the model answered ${status}`;
      const why = message === '' ? said : `${said}: ${message}`;
      return [index, { why, isCertain: isCertainRefusal(status) }];
    }),
  );
}

/**
 * Bundles with answers that may hold some of the names, both in the order of names. Neighbors come together, since their inputs are
 * read at once.
 */
function* neighborsOf(
  list: readonly SentBundle[],
  names: readonly string[],
): Generator<readonly SentBundle[]> {
  let group: SentBundle[] = [];
  let next = 0;
  for (let at = firstFrom(list, names[0] ?? ''); at < list.length; at++) {
    const bundle = list[at];
    if (bundle === undefined) break;
    while (next < names.length && compareByteOrder(names[next] ?? '', bundle.first) < 0) next += 1;
    if (next === names.length) break;
    const isAsked = compareByteOrder(names[next] ?? '', bundle.last) <= 0;
    if (isAsked && bundle.outputBytes !== undefined) {
      group.push(bundle);
      if (group.length < NEIGHBORS) continue;
    }
    if (group.length > 0) yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Index of the first bundle with its last name at or after a name. */
function firstFrom(list: readonly SentBundle[], name: string): number {
  let low = 0;
  for (let high = list.length; low < high;) {
    const middle = (low + high) >> 1;
    if (compareByteOrder(list[middle]?.last ?? '', name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rangeOf(bundles: readonly SentBundle[]): {
  readonly run: RunParts;
  readonly list: string;
  readonly start: number;
  readonly end: number;
} {
  const [first] = bundles;
  const last = bundles.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('bundles must not be empty');
  return { run: first.run, list: first.list, start: first.start, end: last.end };
}
