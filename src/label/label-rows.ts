import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { cellText, csvCells } from '@inferdrop/table/cells';
import { peek, toUtf8 } from '@inferdrop/table/internal/text-chunks';
import { RecordCutter, recordsOf, RecordUnreadable, type TableRecord } from '@inferdrop/table/record-cutter';
import { jsonFault } from '../text/json-fault.ts';
import { parsedJson } from '../text/parse-json.ts';
import {
  type ChooseColumns,
  decideColumns,
  delimiterOf,
  type LabelColumns,
  NOT_ONE,
  oneHotLabel,
  statedDelimiter,
} from './label-columns.ts';
import {
  LabelColumnUnclear,
  LabelFileUnreadable,
  type LabelRow,
  MAX_NAMED,
  unreadable,
} from './label-row.ts';

/** Cap on the bytes of a row, and of one with unclosed quotes: longer than any real row, short enough to fail soon. */
const MAX_ROW_BYTES = 65_536;

/** Cap on the blank lines of a file, over which a file of nothing but line breaks would keep a function busy. */
const MAX_BLANK_LINES = 100_000;

/** Rows by which the columns of a file are chosen. */
export const HEAD_ROWS = 1_000;

const JsonLabel = z.union([
  z.string(),
  z.number().transform(String),
  z.boolean().transform(String),
  z.null(),
]);
const JsonRow = z.looseObject({
  key: z.string(),
  index: z.int().nonnegative().optional(),
  recordIndex: z.int().nonnegative().optional(),
});

const JsonFields = z.record(z.string(), z.unknown());
const JsonCell = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .optional()
  .transform((cell) => String(cell ?? ''));

/** How a label file is read. */
export interface AskedRows {
  /** Further columns that the rows carry. */
  readonly fields?: readonly string[];
  /** Column of the label, if it has another title than usual. */
  readonly column?: string | null;
  /** Chooses the columns of CSV, by their titles unless the inputs are known. */
  readonly choose?: ChooseColumns;
}

/**
 * Reads a label file as a stream: JSON Lines if its extension is `.jsonl`, `.ndjson` or `.json`, else CSV with or without a header.
 * Rows come in batches, since awaiting each of ten million takes longer than reading it.
 *
 * @throws {LabelFileUnreadable} with the line
 */
export async function* labelRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { fields = [], column = null, choose = byTitles(column, fields) }: AskedRows = {},
): AsyncGenerator<readonly LabelRow[]> {
  const { head, whole } = await peek(toUtf8(chunks), MAX_ROW_BYTES);
  const { delimiter, isStated } = delimiterIn(head);
  const isJson = isJsonLabels(name);
  const reader = isJson
    ? jsonReader(name, fields, column ?? 'label')
    : csvReader(name, fields, choose, { delimiter, isStated });
  const cutter = new RecordCutter({
    notation: isJson ? 'lines' : 'csv',
    delimiter,
    maxBytes: MAX_ROW_BYTES,
  });
  const read = (records: Iterable<TableRecord>): void => {
    try {
      for (const { bytes, line } of records) {
        const text = bytes.toString();
        // Asking each of ten million rows would take longer than reading it.
        if (text.includes('\ufffd') && !isUtf8(bytes))
          throw unreadable(name, line, text, 'text in UTF-8: save the file as such, in Excel as "CSV UTF-8"');
        reader.read(text, line);
      }
    } catch (error) {
      throw error instanceof RecordUnreadable ? unended(name, error) : error;
    }
  };
  for await (const chunk of whole) {
    read(cutter.push(chunk));
    if (cutter.blankLines > MAX_BLANK_LINES)
      throw new LabelFileUnreadable(name, `must have at most ${MAX_BLANK_LINES} blank lines`);
    const rows = await reader.take();
    if (rows.length > 0) yield rows;
  }
  read(cutter.end());
  const rows = await reader.end();
  if (rows.length > 0) yield rows;
}

function unended(name: string, { line, reason, head }: RecordUnreadable): LabelFileUnreadable {
  return reason === 'too-long'
    ? new LabelFileUnreadable(name, `line ${line} must have at most ${MAX_ROW_BYTES} bytes`)
    : unreadable(name, line, head, 'a row with closed quotes (a quote in a name is written twice, "")');
}

function byTitles(column: string | null, fields: readonly string[]): ChooseColumns {
  return (head) => decideColumns(head, () => false, { classes: [], column, fields });
}

/** Whether a label file of this name is read as JSON Lines. */
export function isJsonLabels(name: string): boolean {
  return /\.(jsonl|ndjson|json)$/i.test(name);
}

interface RecordReader {
  /** Takes a record, which may be the header. */
  read(text: string, line: number): void;
  /** The rows that are read so far, without those that have no label. */
  take(): Promise<readonly LabelRow[]> | readonly LabelRow[];
  /** The last rows. */
  end(): Promise<readonly LabelRow[]> | readonly LabelRow[];
}

function jsonReader(name: string, fields: readonly string[], column: string): RecordReader {
  const known = new Set<string>();
  let rows: LabelRow[] = [];
  const fieldsOf = (value: unknown, line: number, text: string): readonly string[] => {
    const row = JsonFields.parse(value);
    for (const field of Object.keys(row))
      if (known.size < MAX_NAMED || fields.includes(field)) known.add(field);
    return fields.map((field) => {
      const cell = JsonCell.safeParse(Object.hasOwn(row, field) ? row[field] : undefined);
      if (!cell.success)
        throw unreadable(name, line, text, `a text, number, boolean or null in ${JSON.stringify(field)}`);
      return cell.data;
    });
  };
  const take = (): readonly LabelRow[] => {
    const taken = rows;
    rows = [];
    return taken;
  };
  return {
    read(text, line) {
      if (text.trim() === '') return;
      const value = parsedJson(text);
      const parsed = JsonRow.safeParse(value);
      const label = JsonLabel.safeParse(
        parsed.success && Object.hasOwn(parsed.data, column) ? parsed.data[column] : undefined,
      );
      if (!parsed.success || !label.success)
        throw unreadable(name, line, text, `an object with "key" and ${JSON.stringify(column)}`);
      if (mayRepeatName(text, parsed.data) && jsonFault(text) !== undefined)
        throw unreadable(name, line, text, 'an object that has each name once');
      const { key, index, recordIndex } = parsed.data;
      const further = fields.length === 0 ? undefined : { fields: fieldsOf(value, line, text) };
      if (label.data !== null && label.data !== '')
        rows.push({ key, label: label.data, recordIndex: recordIndex ?? index, ...further });
    },
    take,
    end() {
      const missing = fields.find((field) => !known.has(field));
      if (missing !== undefined && known.size > 0) throw new LabelColumnUnclear(name, missing, [...known]);
      return take();
    },
  };
}

/** Whether a name may stand twice in the text of a row; far faster than to look for it, and there may be millions. */
function mayRepeatName(text: string, row: object): boolean {
  const isTwice = (name: string): boolean => text.indexOf(name) !== text.lastIndexOf(name);
  return text.includes('\\') || Object.keys(row).some((name) => isTwice(`"${name}"`));
}

interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

function csvReader(
  name: string,
  fields: readonly string[],
  choose: ChooseColumns,
  { delimiter, isStated }: Delimiter,
): RecordReader {
  let toRow: ((row: CsvRow) => LabelRow) | undefined;
  let waiting: CsvRow[] = [];
  const rows = async (): Promise<readonly LabelRow[]> => {
    if (waiting.length === 0) return [];
    const taken = waiting;
    waiting = [];
    if (toRow === undefined) {
      const head = taken.slice(0, HEAD_ROWS).map(({ cells }) => cells);
      const columns = await choose(head);
      if ('refusal' in columns) throw new LabelFileUnreadable(name, columns.refusal);
      toRow = rowReader(name, columns, placesOf(name, fields, columns.hasHeader ? (head[0] ?? []) : []));
      if (columns.hasHeader) taken.shift();
    }
    return taken.map(toRow).filter(({ label }) => label !== '');
  };
  return {
    read(text, line) {
      if (text.trim() === '' || (isStated && line === 1)) return;
      waiting.push({ cells: csvCells(text, delimiter).map(written), line });
    },
    take: () => (toRow !== undefined || waiting.length >= HEAD_ROWS ? rows() : []),
    end: rows,
  };
}

function placesOf(name: string, fields: readonly string[], titles: readonly string[]): readonly number[] {
  const known = titles.map((title) => title.trim());
  return fields.map((field) => {
    const place = known.indexOf(field);
    if (place < 0 || place !== known.lastIndexOf(field)) throw new LabelColumnUnclear(name, field, known);
    return place;
  });
}

function rowReader(
  name: string,
  { key: keyAt, label: labelAt, index: indexAt, suffix, words }: LabelColumns,
  places: readonly number[],
): (row: CsvRow) => LabelRow {
  return ({ cells, line }) => {
    const key = cells[keyAt];
    const label = typeof labelAt === 'number' ? cells[labelAt] : oneHotLabel(cells, labelAt);
    const index = cells[indexAt];
    if (label === undefined && typeof labelAt !== 'number')
      throw new LabelFileUnreadable(name, `has a column for each class, and line ${line} ${NOT_ONE}`);
    if (
      key === undefined ||
      key === '' ||
      label === undefined ||
      (index !== undefined && !/^\d+$/.test(index))
    )
      throw unreadable(name, line, cells.join(','), `a row with ${words}`);
    return {
      key: key + suffix,
      label,
      recordIndex: index === undefined ? undefined : Number(index),
      ...(places.length > 0 && { fields: places.map((place) => cells[place] ?? '') }),
    };
  };
}

/** The text of a cell: as it is between quotes, trimmed without them. */
export function written(cell: string): string {
  const trimmed = cell.trim();
  return trimmed.startsWith('"') ? cellText(trimmed) : trimmed;
}

/** How the cells of a label file are told apart, and whether its first line only states that. */
interface Delimiter {
  readonly delimiter: string;
  readonly isStated: boolean;
}

/** The delimiter of a label file in CSV, by its first row. */
export function delimiterIn(head: string | Buffer): Delimiter {
  const rows = recordsOf(head, { notation: 'csv', lenient: true }).map(({ bytes, line }) => ({
    text: bytes.toString(),
    line,
  }));
  const first = rows.find(({ text }) => text.trim() !== '');
  const stated = first?.line === 1 ? statedDelimiter(first.text) : undefined;
  return { delimiter: stated ?? delimiterOf(first?.text ?? ''), isStated: stated !== undefined };
}
