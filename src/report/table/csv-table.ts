/** A cell: a text, or a number or truth value, which this program writes itself; null and undefined are empty. */
export type CsvValue = string | number | boolean | null | undefined;

/** A table in CSV (RFC 4180). */
export interface CsvTable<Row> {
  /** The first line: the names of the columns. */
  readonly header: string;
  readonly line: (row: Row) => string;
}

/** Declares a table by its columns. Numbers stay numbers, a negative one too; a text is never a formula. */
export function csvTable<Row>(columns: Readonly<Record<string, (row: Row) => CsvValue>>): CsvTable<Row> {
  const values = Object.values(columns);
  return {
    header: toLine(Object.keys(columns)),
    line: (row) => toLine(values.map((value) => value(row))),
  };
}

function toLine(cells: readonly CsvValue[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? csvCell(cell) : (cell ?? ''))).join(',')}\r\n`;
}

/**
 * A CSV cell that no spreadsheet runs (OWASP, CSV injection): an apostrophe stands before what looks like a formula, at the start
 * and after each character at which a spreadsheet of another locale would cut the row. Wide and small forms of the four signs count as
 * these: spreadsheets of East Asian locales read them so. Quotes follow RFC 4180.
 */
export function csvCell(text: string): string {
  // Without a separator a formula can only be at the start: nearly all cells of a run's tables need no search.
  if (!SPECIAL.test(text)) return FORMULA.test(text) ? `"'${text}"` : text;
  const inert = text.replace(/^(?=[\t\r\n])|(?<=^|[;|\t\r\n])(?=[=+\-@＝＋－＠﹦﹢﹣﹫])/g, "'");
  return `"${inert.replaceAll('"', '""')}"`;
}

const SPECIAL = /[",;|\t\r\n]/;
const FORMULA = /^[=+\-@＝＋－＠﹦﹢﹣﹫]/;
