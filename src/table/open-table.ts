import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { RecordUnreadable, type TableRecord } from '@inferdrop/table/record-cutter';
import { peek, toUtf8 } from '@inferdrop/table/text-chunks';
import { HEAD_BYTES } from '../file-kind/file-kind.ts';
import { jsonMembers } from '../text/json-members.ts';
import { parsedJson } from '../text/parsed-json.ts';
import type { FileRanges, ParquetTable } from './parquet-rows.ts';
import { sourceOf, type TextSource } from './sources.ts';
import {
  countFeatures,
  placesByNumber,
  placesByTitle,
  type TableColumns,
  TableRefused,
  unknownTitles,
} from './table-columns.ts';
import { ofJson, type Value } from './value.ts';

/** A record of a table: what the model gets, or why it can't get it. */
export type OpenedRecord = {
  /** Place among the records of its table, from 0. */
  readonly index: number;
  /** Line on which it begins, or row of a file without lines, from 1. */
  readonly line: number;
  /** Digest of the record without its label; of all its bytes if it can't be read. */
  readonly content: string;
  /** Cell of `columns.id`. */
  readonly id?: string | undefined;
} & (
  | { readonly text: string; readonly label: string | undefined; readonly defect?: undefined }
  | { readonly defect: string }
);

/** Characters that are kept of a label or an id. */
const MAX_BESIDE = 1_000;
/** Cap on a record: a request of a job has at most so many bytes by default. */
export const MAX_RECORD_BYTES = 6_000_000;
/** Rows that tell how the others are read: titles, and what lies below them. */
const FIRST_ROWS = 2;
/** Characters between the cells of CSV. */
export const DELIMITERS = [',', ';', '\t', '|'];
const NO_LIST = 'is no list in JSON';
/** A number as Excel of some countries writes it. */
const DECIMAL_COMMA = /^[+-]?\d+(?:\.\d{3})*,\d+$/;

/** Label and id of a record. */
interface Beside {
  readonly label: string | undefined;
  readonly id?: string | undefined;
}

/** A record as the model gets it, with its label and id; or why it can't get it. */
export type Opened = (Beside & { readonly text: string }) | { readonly defect: string };

/** How the records of a text are opened. */
interface Opener {
  readonly open: (record: TableRecord) => Opened;
  /** Whether a piece of the text is a record, which a row of titles isn't; all are unless this says so. */
  readonly isRecord?: (record: TableRecord, isFirst: boolean) => boolean;
}

/** How a table is opened. */
interface Opening {
  /** Takes the titles that are no column of pipeline.json, or the fields of the first record. */
  readonly onUnknown?: ((titles: readonly string[]) => void) | undefined;
  /** Ranges of the same file, if it's stored as it is. */
  readonly ranges?: FileRanges | undefined;
  /** Number of records that are passed over, since they were opened before. */
  readonly from?: number | undefined;
}

/**
 * The records of a table, as many at once as a chunk completes. A record that can't be read costs itself; a table that
 * can't be opened is refused as a whole, since nobody could say how many records it has.
 *
 * @throws {TableRefused}
 */
export async function* openTable(
  chunks: AsyncIterable<Uint8Array>,
  columns: TableColumns,
  { onUnknown = () => undefined, ranges, from = 0 }: Opening = {},
): AsyncGenerator<readonly OpenedRecord[]> {
  const begun = await peek(toUtf8(chunks), HEAD_BYTES);
  const source = sourceOf(begun.head);
  if (source.records === 'columns') {
    if (ranges === undefined) throw new TableRefused(`is ${source.what} within gzip: unpack it`);
    return yield* openColumns(source.what, await source.open(ranges), columns, { onUnknown, from });
  }
  // Rows may be wide: thousands of genes, say, or pixels.
  const { head, whole } = hasRows(source, begun.head)
    ? begun
    : await peek(begun.whole, FIRST_ROWS * MAX_RECORD_BYTES);
  const delimiter = source.what === 'CSV' ? delimiterOf(source, head, columns) : ',';
  const opener =
    source.records === 'rows'
      ? rowOpener(source, { head, columns, delimiter, onUnknown })
      : jsonOpener(source, columns, onUnknown);
  yield* openRecords(source.read(whole, { delimiter, maxBytes: MAX_RECORD_BYTES }), opener, from);
}

/**
 * Opens each record of a text.
 *
 * @param from records before it are cut, and not looked at; a batch of them is given without any, so that its reader can watch the time
 * @throws {TableRefused} if a record has no end
 */
export async function* openRecords(
  batches: AsyncIterable<readonly TableRecord[]>,
  { open, isRecord = () => true }: Opener,
  from: number,
): AsyncGenerator<readonly OpenedRecord[]> {
  let index = 0;
  let isFirst = true;
  try {
    for await (const records of batches) {
      const opened: OpenedRecord[] = [];
      for (const record of records) {
        const isCounted = isRecord(record, isFirst);
        isFirst = false;
        if (!isCounted) continue;
        if (index < from) {
          index += 1;
          continue;
        }
        const { line } = record;
        const found = isUtf8(record.bytes)
          ? open(record)
          : { defect: 'is not UTF-8: save the file as CSV UTF-8' };
        const content = hash('md5', 'defect' in found ? record.bytes : identityOf(found));
        opened.push({ index, line, content, ...found });
        index += 1;
      }
      yield opened;
    }
  } catch (error) {
    throw error instanceof RecordUnreadable
      ? new TableRefused(whyUnreadable(error), { cause: error })
      : error;
  }
}

/** Text by which a record is the same one in another file, whichever format that has. */
function identityOf({ text, id = '' }: { readonly text: string; readonly id?: string | undefined }): string {
  return `${text}\n${id}`;
}

async function* openColumns(
  what: string,
  table: ParquetTable,
  columns: TableColumns,
  { onUnknown, from }: { readonly onUnknown: (titles: readonly string[]) => void; readonly from: number },
): AsyncGenerator<readonly OpenedRecord[]> {
  if (typeof columns.features[0] === 'number')
    throw new TableRefused(`is ${what}, and columns.features of pipeline.json are places: name its columns`);
  const { features, label, id } = placesByTitle(table.titles, columns);
  onUnknown(unknownTitles(table.titles, columns));
  const others = [label, id].filter((place) => place !== null);
  const toOpened = writerOf(columns);
  const openRow = (row: readonly Value[]): Opened =>
    toOpened(
      row.slice(0, features.length),
      beside({ label, id }, (place) => row[features.length + others.indexOf(place)]?.cell),
    );
  let index = from;
  for await (const rows of table.rows([...features, ...others], from))
    yield rows.map((row) => {
      const found = typeof row === 'string' ? { defect: row } : openRow(row);
      const content = hash('md5', 'defect' in found ? `${index} ${found.defect}` : identityOf(found));
      const place = { index: index++, line: index, content };
      return { ...place, ...found };
    });
}

function whyUnreadable({ line, reason }: RecordUnreadable): string {
  switch (reason) {
    case 'unclosed-quote':
      return `has a quote in line ${line} that never closes: correct it (a quote within quotes is written twice, "")`;
    case 'too-long':
      return `has a record in line ${line} of more than ${MAX_RECORD_BYTES} bytes: shorten it`;
    case 'open-list':
      return `is a list in JSON that breaks off in line ${line}: take the whole file, or correct the brackets there`;
    case 'behind-list':
      return `has something behind its list in JSON, in line ${line}: write one list, or JSON Lines, a record a line`;
  }
}

/** The first rows, as far as they can be read. */
export function rowsOf(source: TextSource, head: Buffer, delimiter: string): string[][] {
  return source
    .begin(head, delimiter)
    .map(({ bytes }) => source.cells(bytes.toString(), delimiter) ?? [])
    .map((cells) => cells.map((cell) => source.value(cell).cell ?? cell))
    .filter((cells) => cells.length > 1 || (cells[0] ?? '').trim() !== '')
    .take(FIRST_ROWS)
    .toArray();
}

/** Whether a beginning has the first rows to their ends. */
function hasRows(source: TextSource, head: Buffer): boolean {
  return (
    source.records !== 'rows' ||
    head.length < HEAD_BYTES ||
    source
      .begin(head, ',')
      .take(FIRST_ROWS + 1)
      .toArray().length > FIRST_ROWS
  );
}

/** The delimiter under which the first row has most of the features; a comma for tables without titles. */
function delimiterOf(source: TextSource, head: Buffer, columns: TableColumns): string {
  if (columns.delimiter !== null) return columns.delimiter;
  if (typeof columns.features[0] === 'number') return ',';
  const counts = DELIMITERS.map((one) => countFeatures(rowsOf(source, head, one)[0] ?? [], columns));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The first bytes of a table of rows, and how they are read. */
interface Rows {
  readonly head: Buffer;
  readonly columns: TableColumns;
  readonly delimiter: string;
  readonly onUnknown: (titles: readonly string[]) => void;
}

function rowOpener(source: TextSource, { head, columns, delimiter, onUnknown }: Rows): Opener {
  const rows = rowsOf(source, head, delimiter);
  const [first] = rows;
  const hasTitles = typeof columns.features[0] === 'string';
  // A table without any row has no record, unless it's one that can't be read.
  if (first === undefined)
    return {
      open: () => ({ defect: NO_LIST }),
      isRecord: ({ bytes }) => source.cells(bytes.toString(), delimiter) === undefined,
    };
  const places = hasTitles ? placesByTitle(first, columns) : placesByNumber(rows, columns);
  const [, second = []] = rows;
  const decimal = places.features.find((at) => DECIMAL_COMMA.test(second[at]?.trim() ?? ''));
  if (hasTitles && decimal !== undefined)
    throw new TableRefused(
      `has ${JSON.stringify(second[decimal])} in column ${JSON.stringify(first[decimal])}: write decimal points`,
    );
  if (hasTitles) onUnknown(unknownTitles(first, columns));
  const toOpened = writerOf(columns);
  const open = ({ bytes }: TableRecord): Opened => {
    const cells = source.cells(bytes.toString(), delimiter);
    if (cells === undefined) return { defect: NO_LIST };
    if (cells.length !== first.length)
      return { defect: `has ${cells.length} cells, and the first row has ${first.length}` };
    const values = places.features.map((at) => source.value(cells[at] ?? ''));
    return toOpened(
      values,
      beside(places, (at) => source.value(cells[at] ?? '').cell),
    );
  };
  return { open, isRecord: (_, isFirst) => !(hasTitles && isFirst) };
}

/** The cells of a record that aren't sent, by where they lie; undefined if one is empty, or there's no such column. */
function beside<Where>(
  { label, id }: { readonly label: Where | null; readonly id: Where | null },
  cellOf: (where: Where) => string | undefined,
): Beside {
  const trimmed = (where: Where | null): string | undefined => {
    const cell = where === null ? undefined : cellOf(where)?.trim().slice(0, MAX_BESIDE);
    return cell === '' ? undefined : cell;
  };
  return { label: trimmed(label), id: trimmed(id) };
}

function jsonOpener(
  { what }: TextSource,
  columns: TableColumns,
  onUnknown: (titles: readonly string[]) => void,
): Opener {
  if (typeof columns.features[0] === 'number')
    throw new TableRefused(`is ${what}, and columns.features of pipeline.json are places: name its fields`);
  const toOpened = writerOf(columns);
  const names = columns.features.map(String);
  let isFirst = true;
  const open = ({ bytes }: TableRecord): Opened => {
    const text = bytes.toString();
    const record = parsedJson(text);
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      return { defect: 'is no JSON object' };
    const members = jsonMembers(text);
    if (isFirst) onUnknown(unknownTitles([...members.keys()], columns));
    isFirst = false;
    const missing = names.find((name) => !members.has(name));
    if (missing !== undefined) return { defect: `has no field ${JSON.stringify(missing)}` };
    const values = names.map((name) => ofJson(members.get(name) ?? 'null'));
    return toOpened(
      values,
      beside(columns, (column) => ofJson(members.get(String(column)) ?? 'null').cell),
    );
  };
  return { open };
}

/** Writes a record as the model takes it, unless it can't be written. */
function writerOf(columns: TableColumns): (values: readonly Value[], others: Beside) => Opened {
  const { features, sends } = columns;
  const toText = textWriterOf(columns);
  return (values, others) => {
    const nested = sends === 'csv' ? values.findIndex(({ cell }) => cell === undefined) : -1;
    if (nested >= 0) return { defect: `has no single value in ${JSON.stringify(features[nested])}` };
    return { text: toText(values), ...others };
  };
}

function textWriterOf({ features, sends, form }: TableColumns): (values: readonly Value[]) => string {
  if (sends === 'csv') return (values) => values.map(({ cell = '' }) => quoted(cell)).join(',');
  if (form === 'object') {
    const names = features.map((feature) => JSON.stringify(String(feature)));
    return (values) => `{${values.map(({ json }, at) => `${names[at] ?? ''}:${json}`).join(',')}}`;
  }
  return (values) => {
    const list = values.map(({ json }) => json).join(',');
    return values.length === 1 ? list : `[${list}]`;
  };
}

/** A cell as RFC 4180 writes it. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
