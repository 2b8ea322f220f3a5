import { peek } from '@inferdrop/table/internal/text-chunks';
import { HEAD_BYTES } from '../file-kind/file-kind.ts';
import { CSV, type TextSource } from './sources.ts';
import { countFeatures, type TableColumns } from './table-columns.ts';

/** Rows that tell how the others are read: titles, and what lies below them. */
const FIRST_ROWS = 2;
/** Characters between the cells of CSV. */
export const DELIMITERS = [',', ';', '\t', '|'];
/** A number as programs of some countries write it. */
const DECIMAL_COMMA = /^[+-]?\d+(?:\.\d{3})*,\d+$/;
/** A cell that doesn't tell how decimals are written. */
const TELLS_NOTHING = /^(?:[+-]?\d*|n\/?a|nan|null|none)$/i;

/** The rows of a beginning, as far as they can be read. */
export function rowsOf(source: TextSource, head: Buffer, delimiter: string, most = FIRST_ROWS): string[][] {
  return source
    .begin(head, delimiter)
    .map(({ bytes }) => source.cells(bytes.toString(), delimiter) ?? [])
    .map((cells) => cells.map((cell) => source.value(cell).cell ?? cell))
    .filter((cells) => cells.length > 1 || (cells[0] ?? '').trim() !== '')
    .take(most)
    .toArray();
}

/** Cap on a record: a request of a job has at most so many bytes by default. */
export const MAX_RECORD_BYTES = 6_000_000;

/** The beginning of a text, as long as its first rows need it, and whether the text has no more. */
export async function peekRows(
  source: TextSource,
  begun: { readonly head: Buffer; readonly whole: AsyncIterable<Uint8Array> },
): Promise<{ readonly head: Buffer; readonly whole: AsyncIterable<Uint8Array>; readonly isWhole: boolean }> {
  // Rows may be wide: thousands of genes, say, or pixels. As long in each call, however long chunks are.
  const isEnough = hasRows(source, begun.head.subarray(0, HEAD_BYTES));
  const most = isEnough ? HEAD_BYTES : FIRST_ROWS * MAX_RECORD_BYTES;
  const { head, whole } = isEnough ? begun : await peek(begun.whole, most);
  return { head: head.subarray(0, most), whole, isWhole: head.length < most };
}

/** Whether a beginning has the complete first rows. */
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
export function delimiterOf(source: TextSource, head: Buffer, columns: TableColumns): string {
  if (columns.delimiter !== null) return columns.delimiter;
  if (typeof columns.features[0] === 'number') return ',';
  const counts = DELIMITERS.map((one) => countFeatures(rowsOf(source, head, one)[0] ?? [], columns));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Whether a cell is a number with a decimal comma. */
export function hasDecimalComma(cell: string | undefined): boolean {
  return cell?.includes(',') === true && DECIMAL_COMMA.test(cell.trim());
}

/** The first of a column's cells that tells how its decimals are written; undefined if all are whole numbers. */
export function tellingCell(cells: readonly string[]): string | undefined {
  return cells.find((cell) => !TELLS_NOTHING.test(cell.trim()));
}

/**
 * The first row of a table that is cut at commas, under the delimiter that leaves decimal commas in its cells; undefined if
 * there is none.
 */
export function underAnotherDelimiter(
  source: TextSource,
  head: Buffer,
  delimiter: string,
): { readonly delimiter: string; readonly cells: readonly string[] } | undefined {
  if (source !== CSV || delimiter !== ',') return undefined;
  return DELIMITERS.filter((one) => one !== delimiter)
    .map((one) => ({ delimiter: one, cells: rowsOf(source, head, one)[0] ?? [] }))
    .find(({ cells }) => cells.length > 1 && cells.some(hasDecimalComma));
}
