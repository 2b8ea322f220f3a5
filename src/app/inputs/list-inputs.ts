import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { isTar } from '../../drop/tar-key.ts';
import { placeOf } from '../../input/file-place.ts';
import { shownRecord } from '../../input/shown-place.ts';
import { USD_PER_WRITE } from '../../price/request-prices.ts';
import { roundUsd } from '../../price/round-usd.ts';
import type { Problem } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { dollars, grouped, plural } from '../../text/figures.ts';
import { said } from '../../text/said.ts';
import { type InputLine, toInput } from '../records/input-line.ts';
import { writeInputs } from '../records/inputs.ts';
import { readManifest } from '../records/manifest.ts';
import {
  type Indexed,
  type IndexItem,
  type IndexSettings,
  readIndexed,
  readMembers,
  writeIndexItems,
} from '../records/tars.ts';
import { mergeInputs } from './merge-inputs.ts';
import { MOST_MEMBERS } from './staged-copy.ts';

/** Objects that one call copies, in some seconds. */
const STRETCH_OBJECTS = 5_000;
const READS_AT_ONCE = 16;
/** Cap on the records of a table. */
const MOST_RECORDS = 20_000_000;
/** Defects that a refusal names. */
const MAX_NAMED = 10;

/** The tars of a run once they are read. */
export interface ReadTars {
  /** Key prefix below which all inputs lie by the rest of their names; null if they're read from their tars. */
  readonly unpacked: string | null;
  /** Inputs, and the bytes of their contents. */
  readonly objects: number;
  readonly bytes: number;
  /** US dollars of the objects that were written there. */
  readonly usd: number;
  readonly notes: readonly string[];
  /** The first of the inputs that cannot be read. */
  readonly defects: readonly Defect[];
}

/** Facts that the list of a run's inputs depends on. */
interface ListSettings {
  readonly settings: IndexSettings | null;
  readonly maxCostUsd: number | null;
  readonly refused: ReadonlyMap<string, string>;
}

interface Defect {
  readonly name: string;
  readonly defect: string;
}

/**
 * Writes the list of a run's inputs, with each tar replaced by its members, which state `IndexTars` has listed. If it hasn't, or
 * used other settings, its work is written down, and the answer is the number of tars that wait for it.
 *
 * @param settings null if no tar is opened
 * @param maxCostUsd cap on the US dollars for writing members; null without one
 * @param refused why files are not sent, by their keys
 */
export async function listInputs(
  store: ObjectStore,
  run: RunParts,
  { settings, maxCostUsd, refused }: ListSettings,
): Promise<ReadTars | { readonly unread: number } | { readonly problems: readonly Problem[] }> {
  const all = settings === null ? [] : await planItems(store, run, settings, maxCostUsd, refused);
  const tars = all.filter(({ share }) => share.what !== 'objects');
  const items = tars.length === 0 ? [] : all;
  const listed = tars.map((item) => ({ ...item, settings: { ...item.settings, unpacks: false } }));
  // Members that are unpacked can also be read from their tars.
  const written = await readIndexedOfAll(store, items);
  const found = written ?? (settings?.unpacks === true ? undefined : await readIndexedOfAll(store, listed));
  if (found === undefined) {
    await writeIndexItems(store, run, settings?.unpacks === true ? items : listed);
    return { unread: tars.length };
  }
  const openedOf = new Map<string, readonly [IndexItem, Indexed]>();
  const problems: Problem[] = [];
  for (const [at, item] of (written === undefined ? tars : items).entries()) {
    const indexed = found[at];
    if (item.share.what === 'objects' || indexed === undefined) continue;
    const { key } = item.share.object;
    openedOf.set(key, [item, indexed]);
    const { refused: message } = indexed;
    if (message !== undefined)
      problems.push({ file: key.slice(item.settings.prefix.length), field: '', value: '', message });
  }
  if (problems.length > 0) return { problems };
  async function* membersOf({ key }: InputLine): AsyncGenerator<InputLine> {
    const opened = openedOf.get(key);
    if (opened !== undefined) yield* readMembers(store, ...opened);
  }
  const defects: Defect[] = [];
  let defective = 0;
  let [objects, bytes] = [0, 0];
  async function* noted(inputs: AsyncIterable<InputLine>): AsyncGenerator<InputLine> {
    for await (const line of inputs) {
      const why = line.defect ?? (line.member === undefined ? refused.get(line.key) : undefined);
      const input = why === undefined ? line : { ...line, defect: why };
      const { defect, size } = input;
      objects += 1;
      bytes += size;
      if (defect !== undefined && ++defective <= MAX_NAMED)
        defects.push({ name: shownRecord(placeOf(toInput(input))), defect });
      yield input;
    }
  }
  const manifest = readManifest(store, bucketLayout.manifest(run));
  await writeInputs(store, run, noted(mergeInputs(manifest, (key) => openedOf.has(key), membersOf)));
  const writes = countCopies(found);
  const usd = copyingUsd(found);
  const unpacked = written === undefined || tars.length === 0 ? null : bucketLayout.unpacked(run);
  const [first] = defects;
  const notes = [
    ...(tars.length === 0
      ? []
      : notesOf(found, {
          tars: tars.length,
          writes,
          usd,
          unpacked,
          records: settings?.table ? objects : null,
        })),
    ...notSent(found.flatMap(({ unknown = [] }) => unknown)),
    ...said(
      first &&
        `${grouped(defective)} of ${plural(objects, 'input')} cannot be read, and errors.csv names each: ` +
          `${JSON.stringify(first.name)} ${first.defect}`,
    ),
  ];
  return { unpacked, objects, bytes, usd, notes, defects };
}

/** A note on columns that pipeline.json names nowhere. */
function notSent(titles: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const title of titles) times.set(title, (times.get(title) ?? 0) + 1);
  const named = Array.from(
    times,
    ([title, tables]) => `${JSON.stringify(title)} of ${plural(tables, 'table')}`,
  );
  return said(
    named.length > 0 &&
      `not sent, since columns of pipeline.json doesn't name ${named.length === 1 ? 'it' : 'them'}: ` +
        `${named.slice(0, MAX_NAMED).join(', ')}${named.length > MAX_NAMED ? ', …' : ''}. columns.ignore lists what ` +
        'is known',
  );
}

function countCopies(found: readonly Indexed[]): number {
  return found.reduce((sum, { unpacked }) => sum + unpacked, 0);
}

/** US dollars of the copies that were written. */
export function copyingUsd(found: readonly Indexed[]): number {
  return roundUsd(countCopies(found) * USD_PER_WRITE);
}

/** The findings of all items; undefined if one is not done. */
export async function readIndexedOfAll(
  store: ObjectStore,
  items: readonly IndexItem[],
): Promise<Indexed[] | undefined> {
  const found: Indexed[] = [];
  for await (const [, indexed] of inOrder(items, READS_AT_ONCE, (item) => readIndexed(store, item))) {
    if (indexed === undefined) return undefined;
    found.push(indexed);
  }
  return found;
}

/** A share of the work for each tar, and for each stretch of the manifest that has other objects. */
async function planItems(
  store: ObjectStore,
  run: RunParts,
  settings: IndexSettings,
  maxCostUsd: number | null,
  refused: ReadonlyMap<string, string>,
): Promise<IndexItem[]> {
  const tars: ManifestEntry[] = [];
  const shares: IndexItem['share'][] = [];
  let start = 0;
  let objects = 0;
  let last = 0;
  let bytes = 0;
  for await (const { end, ...entry } of readManifest(store, bucketLayout.manifest(run))) {
    if (settings.table !== null || isTar(entry.key)) {
      if (refused.has(entry.key)) continue;
      tars.push(entry);
      bytes += entry.size;
      continue;
    }
    objects += 1;
    last = end;
    if (objects < STRETCH_OBJECTS) continue;
    shares.push({ what: 'objects', start, end });
    [start, objects] = [end, 0];
  }
  if (objects > 0) shares.push({ what: 'objects', start, end: last });
  // Tars are read before the run is quoted, so that each has its part of the cap: half by its size, half evenly, since a
  // small one may hold many files.
  const writes = maxCostUsd === null ? 2 * MOST_MEMBERS * tars.length : maxCostUsd / USD_PER_WRITE;
  for (const object of tars) {
    const bySize = bytes === 0 ? 0 : object.size / bytes;
    const part = Math.floor((writes / 2) * (1 / tars.length + bySize));
    const most = Math.max(1, Math.min(MOST_MEMBERS, part));
    shares.push(
      settings.table === null
        ? { what: 'tar', object, mostMembers: most }
        : { what: 'table', object, mostRecords: MOST_RECORDS },
    );
  }
  const copies = bucketLayout.unpacked(run);
  return shares.map((share, item) => ({
    run,
    item,
    share,
    copies,
    settings: { ...settings, unpacks: true },
  }));
}

function notesOf(
  found: readonly Indexed[],
  {
    tars,
    writes,
    usd,
    unpacked,
    records,
  }: {
    /** Inputs, if the drop's files are tables. */
    readonly records: number | null;
    readonly tars: number;
    readonly writes: number;
    readonly usd: number;
    readonly unpacked: string | null;
  },
): string[] {
  const passed = (what: 'hidden' | 'companions', why: string): string[] => {
    const count = found.reduce((sum, one) => sum + one[what].count, 0);
    const first = found.find((one) => one[what].first !== undefined)?.[what].first ?? '';
    return count === 0
      ? []
      : [`not inputs: ${plural(count, 'member')} of tars, such as ${JSON.stringify(first)}: ${why}`];
  };
  if (records !== null)
    return [
      `${plural(tars, 'table')} of the drop ${tars === 1 ? 'is' : 'are'} opened: each of ${plural(records, 'record')} ` +
        `is an input, staged for ${dollars(usd)}`,
    ];
  const opened = `${plural(tars, 'tar')} of the drop ${tars === 1 ? 'is' : 'are'} opened: each member is an input`;
  const copies = `${plural(writes, 'write')} at ${dollars(usd)}`;
  const ofPacked = writes === 0 ? '' : `, or from a copy for compressed tars; ${copies}`;
  return [
    unpacked === null
      ? `${opened}, read from its tar${ofPacked}`
      : `${opened}, and a copy of it lies below ${unpacked}; ${copies}`,
    ...passed('hidden', 'hidden files never reach the model'),
    ...passed('companions', 'each lies next to an image of its name'),
  ];
}
