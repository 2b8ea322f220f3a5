import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { cellText, csvCells } from '@inferdrop/table/cells';
import { readRecords, recordsOf, RecordUnreadable, type TableRecord } from '@inferdrop/table/record-cutter';
import { peek, toUtf8 } from '@inferdrop/table/text-chunks';
import { jsonMembers } from '../text/json-members.ts';
import { parsedJson } from '../text/parsed-json.ts';
import {
  type ColumnPlaces,
  countFeatures,
  placesByNumber,
  placesByTitle,
  type TableColumns,
  TableRefused,
} from './table-columns.ts';

/** A record of a table: what the model gets, or why it can't get it. */
export type OpenedRecord = {
  /** Place among the records of its table, from 0. */
  readonly index: number;
  /** Line on which it begins, from 1. */
  readonly line: number;
  /** Digest of the record without its label; of all its bytes if it can't be read. */
  readonly content: string;
} & (
  | { readonly text: string; readonly label: string | undefined; readonly defect?: undefined }
  | { readonly defect: string }
);

/** Cap on a record: a request of a job has at most so many bytes by default. */
const MAX_RECORD_BYTES = 6_000_000;
const HEAD_BYTES = 65_536;
const DELIMITERS = [',', ';', '\t', '|'];
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

type Opened = { readonly text: string; readonly label: string | undefined } | { readonly defect: string };
type Open = (record: TableRecord) => Opened | undefined;

/**
 * The records of a table in CSV or JSON Lines, as many at once as a chunk completes. A record that can't be read costs itself; a table that
 * can't be opened is refused as a whole, since nobody could say how many records it has.
 *
 * @throws {TableRefused}
 */
export async function* openTable(
  chunks: AsyncIterable<Uint8Array>,
  columns: TableColumns,
): AsyncGenerator<readonly OpenedRecord[]> {
  const { head, whole } = await peek(toUtf8(chunks), HEAD_BYTES);
  const begin = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (begin.startsWith('[')) throw new TableRefused('is a list in JSON: write JSON Lines, one record a line');
  const isJson = begin.startsWith('{');
  const delimiter = isJson ? ',' : delimiterOf(head, columns);
  const open = isJson ? jsonOpener(columns) : csvOpener(head, columns, delimiter);
  const cut = { notation: isJson ? 'lines' : 'csv', delimiter, maxBytes: MAX_RECORD_BYTES } as const;
  let index = 0;
  try {
    for await (const records of readRecords(whole, cut)) {
      const opened: OpenedRecord[] = [];
      for (const record of records) {
        const found = isUtf8(record.bytes)
          ? open(record)
          : { defect: 'is not UTF-8: save the file as CSV UTF-8' };
        if (found === undefined) continue;
        const { line } = record;
        const content = hash('md5', 'defect' in found ? record.bytes : found.text);
        opened.push(
          'defect' in found
            ? { index, line, content, defect: `of line ${line} ${found.defect}` }
            : { index, line, content, ...found },
        );
        index += 1;
      }
      yield opened;
    }
  } catch (error) {
    throw error instanceof RecordUnreadable ? new TableRefused(whyUnreadable(error)) : error;
  }
}

function whyUnreadable({ line, reason }: RecordUnreadable): string {
  return reason === 'unclosed-quote'
    ? `has a quote in line ${line} that never closes: correct it (a quote within quotes is written twice, "")`
    : `has a record in line ${line} of more than ${MAX_RECORD_BYTES} bytes: shorten it`;
}

/** The first rows of CSV, as far as they can be read. */
function rowsOf(head: Buffer, delimiter: string): string[][] {
  return recordsOf(head, { notation: 'csv', delimiter, lenient: true })
    .map(({ bytes }) => csvCells(bytes.toString(), delimiter).map(cellText))
    .filter((cells) => cells.length > 1 || (cells[0] ?? '').trim() !== '')
    .take(2)
    .toArray();
}

/** The delimiter under which the first row has most of the features; a comma for tables without titles. */
function delimiterOf(head: Buffer, columns: TableColumns): string {
  if (columns.delimiter !== null) return columns.delimiter;
  if (typeof columns.features[0] === 'number') return ',';
  const counts = DELIMITERS.map((one) => countFeatures(rowsOf(head, one)[0] ?? [], columns));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function csvOpener(head: Buffer, columns: TableColumns, delimiter: string): Open {
  const rows = rowsOf(head, delimiter);
  const [first] = rows;
  const hasTitles = typeof columns.features[0] === 'string';
  // A table without any row has no record.
  if (first === undefined) return () => undefined;
  const places = hasTitles ? placesByTitle(first, columns) : placesByNumber(rows, columns);
  const toText = writerOf(columns);
  let isTitles = hasTitles;
  return ({ bytes }) => {
    if (isTitles) {
      isTitles = false;
      return undefined;
    }
    const cells = csvCells(bytes.toString(), delimiter).map(cellText);
    if (cells.length !== first.length)
      return { defect: `has ${cells.length} cells, and the first row has ${first.length}` };
    return openCells(cells, places, toText);
  };
}

function openCells(
  cells: readonly string[],
  places: ColumnPlaces,
  toText: ReturnType<typeof writerOf>,
): Opened {
  const label = cells[places.label]?.trim();
  const values = places.features.map((at) => ofCell(cells[at] ?? ''));
  return { text: toText(values), label: label === '' ? undefined : label };
}

function jsonOpener(columns: TableColumns): Open {
  if (typeof columns.features[0] === 'number')
    throw new TableRefused(
      'is JSON Lines, and columns.features of pipeline.json are places: name its fields',
    );
  const toText = writerOf(columns);
  const names = columns.features.map(String);
  return ({ bytes }) => {
    const text = bytes.toString();
    const record = parsedJson(text);
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      return { defect: 'is no JSON object' };
    const members = jsonMembers(text);
    const missing = names.find((name) => !members.has(name));
    if (missing !== undefined) return { defect: `has no field ${JSON.stringify(missing)}` };
    const values = names.map((name) => ofJson(members.get(name) ?? 'null'));
    const nested = columns.sends === 'csv' ? values.findIndex(({ cell }) => cell === undefined) : -1;
    if (nested >= 0) return { defect: `has no single value in ${JSON.stringify(names[nested])}` };
    const label =
      columns.label === null ? undefined : ofJson(members.get(String(columns.label)) ?? 'null').cell;
    return { text: toText(values), label: label === '' ? undefined : label };
  };
}

/** A value in both notations, each digit as it was written. */
interface Value {
  /** Undefined for a list or an object. */
  readonly cell: string | undefined;
  readonly json: string;
}

function ofCell(cell: string): Value {
  const trimmed = cell.trim();
  if (trimmed === '') return { cell, json: 'null' };
  return { cell, json: JSON_NUMBER.test(trimmed) ? trimmed : JSON.stringify(cell) };
}

function ofJson(json: string): Value {
  if (json === 'null') return { cell: '', json };
  if (json.startsWith('"')) return { cell: String(JSON.parse(json)), json };
  return { cell: /^[[{]/.test(json) ? undefined : json, json };
}

/** Writes a record as the model takes it. */
function writerOf({ features, sends, form }: TableColumns): (values: readonly Value[]) => string {
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
