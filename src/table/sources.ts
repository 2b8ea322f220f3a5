import { cellText, csvCells } from '@inferdrop/table/cells';
import { elementsOf, readList } from '@inferdrop/table/internal/list-cutter';
import { peek } from '@inferdrop/table/internal/text-chunks';
import { readRecords, recordsOf, type TableRecord } from '@inferdrop/table/record-cutter';
import { type FileKind, fileKind, HEAD_BYTES, rowOf } from '../file-kind/file-kind.ts';
import { ROWS } from '../file-kind/rows.ts';
import { parsedJson } from '../text/parse-json.ts';
import { type FileRanges, openParquet, type ParquetTable } from './parquet-rows.ts';
import { TableRefused } from './table-columns.ts';
import { ofCell, ofJson, type Value } from './value.ts';

/** A text of records: how it's cut, and what a record is. */
export interface TextSource {
  readonly what: string;
  /** `rows`: cells by their places. `objects`: fields by their names. */
  readonly records: 'rows' | 'objects';
  readonly read: (
    chunks: AsyncIterable<Uint8Array>,
    cut: { readonly delimiter: string; readonly maxBytes: number },
  ) => AsyncIterable<readonly TableRecord[]>;
  /** The first records of a text that may break off. */
  readonly begin: (head: Buffer, delimiter: string) => Generator<TableRecord>;
  /** Cells of a row as they are written; undefined if it's none. */
  readonly cells: (row: string, delimiter: string) => readonly string[] | undefined;
  readonly value: (cell: string) => Value;
}

/** A file of columns that is read by ranges. */
interface ColumnSource {
  readonly what: string;
  readonly records: 'columns';
  readonly open: (file: FileRanges) => Promise<ParquetTable>;
}

/** Rows of CSV. */
export const CSV: TextSource = {
  what: 'CSV',
  records: 'rows',
  read: (chunks, cut) => readRecords(chunks, { notation: 'csv', ...cut }),
  begin: (head, delimiter) => recordsOf(head, { notation: 'csv', delimiter, lenient: true }),
  cells: (row, delimiter) => csvCells(row, delimiter).map(cellText),
  value: ofCell,
};
const LINES: TextSource = {
  what: 'JSON Lines',
  records: 'objects',
  read: (chunks, { maxBytes }) => readRecords(chunks, { notation: 'lines', maxBytes }),
  begin: (head) => recordsOf(head, { notation: 'lines' }),
  cells: (row) =>
    Array.isArray(parsedJson(row)) ? Array.from(elementsOf(row), ({ bytes }) => bytes.toString()) : undefined,
  value: ofJson,
};
const LIST: TextSource = {
  ...LINES,
  what: 'a list in JSON',
  read: (chunks, { maxBytes }) => readList(chunks, maxBytes),
  begin: elementsOf,
};

/** One document over many lines: a record. What only begins as one is read by lines. */
export const DOCUMENT: TextSource = {
  ...LINES,
  what: 'a JSON document',
  async *read(chunks, cut) {
    const { head, whole } = await peek(chunks, cut.maxBytes + 1);
    const bytes = Buffer.from(
      head
        .toString()
        .replace(/^\uFEFF/, '')
        .trim(),
    );
    if (head.length > cut.maxBytes || parsedJson(bytes.toString()) === undefined)
      return yield* LINES.read(whole, cut);
    yield [{ start: 0, end: bytes.length, line: 1, bytes }];
  },
};

/** How the kinds of files are read that are tables; others are refused. */
const SOURCES: Partial<Record<FileKind, (begin: string) => TextSource | ColumnSource>> = {
  empty: () => CSV,
  text: () => CSV,
  unknown: () => CSV,
  'json-lines': (begin) =>
    // A single line may be the list of all rows.
    /^\[\s*\[.*\n?$/.test(begin) ? withRows(LIST) : begin.startsWith('[') ? withRows(LINES) : LINES,
  'json-list': (begin) => (/^\[\s*\[/.test(begin) ? withRows(LIST) : LIST),
  json: () => DOCUMENT,
  // A field of a record may have a name as in a notebook.
  notebook: () => LINES,
  parquet: () => ({ what: ROWS.parquet.what, records: 'columns', open: openParquet }),
};

function withRows(source: TextSource): TextSource {
  return { ...source, records: 'rows' };
}

/**
 * How a table is read, by its first bytes in UTF-8.
 *
 * @throws {TableRefused} if it's no table
 */
export function sourceOf(head: Buffer): TextSource | ColumnSource {
  const kind = fileKind({ head, sizeBytes: head.length < HEAD_BYTES ? head.length : Infinity });
  const source = SOURCES[kind];
  if (source !== undefined)
    return source(
      head
        .toString()
        .replace(/^\uFEFF/, '')
        .trimStart(),
    );
  const {
    what,
    remedy = 'this pipeline opens CSV, JSON Lines, JSON lists and Parquet',
    asTable = remedy,
  } = rowOf(kind);
  throw new TableRefused(`is ${what}: ${asTable}`);
}
