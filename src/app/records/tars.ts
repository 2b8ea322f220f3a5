import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { eachOf } from '../../concurrency/each-of.ts';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { Column } from '../../pipeline/column-settings.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { toJsonLine } from '../../text/json-lines.ts';
import { jsonDocument } from './document.ts';
import { type InputLine, readInputLine } from './input-line.ts';
import { readPlaced } from './run-file.ts';

/** Facts about a run that its tars are read with. */
export const IndexSettings = z.object({
  bucket: z.string(),
  /** Key prefix of the drop. */
  prefix: z.string(),
  /** Size in bytes above which a member is not sent, and so not unpacked; null without a bound. */
  largestBytes: z.int().positive().nullable(),
  /** Settings that decide which kinds of files are not sent. */
  sent: z.object({ contentType: z.string(), splitType: z.string() }),
  /** Whether the model takes images, so that other files next to one are its companions. */
  images: z.boolean(),
  /** Whether each member is written as an object of its own; if requests are bundles of inputs, only a compressed tar's members are. */
  unpacks: z.boolean(),
  /** Whether records of tables are sent as lines, which SageMaker cuts at each line break. */
  cutsLines: z.boolean(),
  /** Members that hold labels, and the path to it in their JSON; null if labels lie elsewhere. */
  labels: z.object({ extension: z.string(), path: z.string().nullable() }).nullable(),
  /** Columns of the tables that the drop's files are, or how their lines are read; null if files are sent as they are. */
  table: z
    .union([
      z.object({
        features: z.array(Column),
        label: Column.nullable(),
        id: Column.nullable(),
        ignore: z.array(Column),
        delimiter: z.string().nullable(),
        form: z.enum(['list', 'object']),
        sends: z.enum(['csv', 'json']),
      }),
      z.object({
        notation: z.enum(['csv', 'json', 'text']),
        filter: z.string().nullable(),
        truth: z.string().nullable(),
      }),
    ])
    .nullable(),
});
export type IndexSettings = z.infer<typeof IndexSettings>;

/** A tar or table to be read, or a stretch of the manifest with objects that are copied next to the members. */
const Share = z.discriminatedUnion('what', [
  z.object({ what: z.literal('tar'), object: ManifestEntry, mostMembers: z.int().positive() }),
  z.object({ what: z.literal('table'), object: ManifestEntry, mostRecords: z.int().positive() }),
  /** Bytes of manifest.jsonl, `end` exclusive. */
  z.object({ what: z.literal('objects'), start: z.int().nonnegative(), end: z.int().nonnegative() }),
]);

/** One item of the Distributed Map `IndexTars`. */
export const IndexItem = z.object({
  run: RunParts,
  item: z.int().nonnegative(),
  settings: IndexSettings,
  share: Share,
  /** Key prefix below which copies are written. */
  copies: z.string(),
});
export type IndexItem = z.infer<typeof IndexItem>;
/** A tar to be opened. */
export type TarShare = Extract<IndexItem['share'], { readonly what: 'tar' }>;
/** A table to be opened. */
export type TableShare = Extract<IndexItem['share'], { readonly what: 'table' }>;

/** `tars.json`: the items, as Step Functions reads them. */
const IndexItems = z.array(IndexItem.extend({ run: z.string() }));

const tarsJson = jsonDocument({ key: bucketLayout.tars, schema: IndexItems, write: 'replace' });

/** The work of state `IndexTars` for a run that is planned; empty if it has no tars. */
export async function readIndexItems(store: ObjectStore, run: RunParts): Promise<readonly IndexItem[]> {
  return z.array(IndexItem).parse((await tarsJson(run).read(store)) ?? []);
}

/** Lists the work of state `IndexTars`. */
export async function writeIndexItems(
  store: ObjectStore,
  run: RunParts,
  items: readonly IndexItem[],
): Promise<void> {
  await tarsJson(run).write(
    store,
    items.map((item) => ({ ...item, run: toRunId(item.run) })),
  );
}

/** Files that are not inputs, and the first of their names. */
const Passed = z.object({ count: z.int().nonnegative(), first: z.string().optional() });
export type Passed = z.infer<typeof Passed>;

const Pieces = z.array(z.int().nonnegative());

/** `members/<item>.json`, which is written once all else of the item is. */
const Indexed = z.object({
  schema: z.literal(1),
  /** Digest of the item that was worked on: other settings are another item. */
  asked: z.string(),
  /** Copies that were written. */
  unpacked: z.int().nonnegative(),
  /** Places behind the pieces that the list of its members has. */
  pieces: Pieces,
  hidden: Passed,
  companions: Passed,
  /** Why a table can't be opened, in words that follow its name. */
  refused: z.string().optional(),
  /** Columns of a table that pipeline.json names nowhere. */
  unknown: z.array(z.string()).optional(),
});
export type Indexed = z.infer<typeof Indexed>;

const indexedJson = jsonDocument({ key: bucketLayout.indexed, schema: Indexed, write: 'replace' });

function digestOf(item: IndexItem): string {
  return hash('sha256', JSON.stringify(IndexItem.parse({ ...item, run: toRunId(item.run) })));
}

/** Marks an item as done. */
export async function markIndexed(
  store: ObjectStore,
  item: IndexItem,
  found: Omit<Indexed, 'schema' | 'asked'>,
): Promise<void> {
  await indexedJson(item.run, item.item).write(store, { schema: 1, asked: digestOf(item), ...found });
}

/** The findings of an item; undefined if it is not done. */
export async function readIndexed(store: ObjectStore, item: IndexItem): Promise<Indexed | undefined> {
  const found = await indexedJson(item.run, item.item).read(store);
  return found?.asked === digestOf(item) ? found : undefined;
}

/** `members/<item>/progress.json`: how far a table is opened, written whenever the list grows. A short table has no such file. */
const TableProgress = z.object({
  schema: z.literal(1),
  /** The same as in `Indexed`. */
  asked: z.string(),
  /** Pieces of the list, parts that hold its records, and how many of these parts have a staged object. */
  pieces: Pieces,
  parts: z.int().positive(),
  unpacked: z.int().nonnegative(),
  /** The same as in `Indexed`; absent until the first record is read that tells them. */
  unknown: z.array(z.string()).optional(),
});
/** How far a table is opened. */
export type TableProgress = Omit<z.infer<typeof TableProgress>, 'schema' | 'asked'>;

const progressJson = jsonDocument({
  key: bucketLayout.tableProgress,
  schema: TableProgress,
  write: 'replace',
});

/** Notes how far a table is opened. */
export async function writeTableProgress(
  store: ObjectStore,
  item: IndexItem,
  progress: TableProgress,
): Promise<void> {
  await progressJson(item.run, item.item).write(store, { schema: 1, asked: digestOf(item), ...progress });
}

/** How far a call before has opened a table; undefined if there is none that was asked the same. */
export async function readTableProgress(
  store: ObjectStore,
  item: IndexItem,
): Promise<TableProgress | undefined> {
  const progress = await progressJson(item.run, item.item).read(store);
  return progress?.asked === digestOf(item) ? progress : undefined;
}

/** Writes a piece of the members of a tar, or the records of a table, in the byte order of their names. */
export async function writeMembers(
  store: ObjectStore,
  { run, item }: IndexItem,
  members: readonly InputLine[],
  piece: readonly [number, number] = [0, members.length],
): Promise<void> {
  async function* text(): AsyncGenerator<string> {
    for (const member of members) yield toJsonLine(member);
  }
  await store.writeStream(bucketLayout.members(run, item, ...piece), text(), {
    contentType: 'application/jsonl',
  });
}

/**
 * The members of a tar, as they are read.
 *
 * @throws `RunFileMissing`
 */
export function readMembers(
  store: ObjectStore,
  { run, item }: IndexItem,
  { pieces }: Pick<Indexed, 'pieces'>,
): AsyncIterableIterator<InputLine, undefined> {
  async function* batches(): AsyncGenerator<readonly InputLine[]> {
    for (const [at, end] of pieces.entries())
      yield* readPlaced(store, bucketLayout.members(run, item, pieces[at - 1] ?? 0, end), 0, readInputLine);
  }
  return eachOf(batches());
}
