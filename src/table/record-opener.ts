import type { TableRecord } from '@inferdrop/table/record-cutter';
import { jsonMembers } from '../text/json-members.ts';
import { parsedJson } from '../text/parse-json.ts';
import { hasDecimalComma, rowsOf, tellingCell, underAnotherDelimiter } from './head-rows.ts';
import type { TextSource } from './sources.ts';
import {
  isNumber,
  named,
  placesByNumber,
  placesByTitle,
  type TableColumns,
  TableRefused,
  unknownTitles,
} from './table-columns.ts';
import { ofJson, type Value } from './value.ts';

/** Characters that are kept of a label or an id. */
const MAX_BESIDE = 1_000;
const NO_LIST = 'is no list in JSON';

/** Label and id of a record. */
interface Beside {
  readonly label: string | undefined;
  readonly id?: string | undefined;
}

/** A record as the model gets it, with its label and id; or why it can't get it. */
export type Opened = (Beside & { readonly text: string }) | { readonly defect: string };

/** How the records of a text are opened. */
export interface Opener {
  readonly open: (record: TableRecord) => Opened;
  /** Whether a piece of the text is a record, which a row of titles isn't; all are unless this says so. */
  readonly isRecord?: (record: TableRecord, isFirst: boolean) => boolean;
}

/** The first bytes of a table of rows, and how they are read. */
interface Rows {
  readonly head: Buffer;
  /** Whether the table has no others. */
  readonly isWhole: boolean;
  readonly columns: TableColumns;
  readonly delimiter: string;
  readonly onUnknown: (titles: readonly string[]) => void;
}

/**
 * Opens rows. If the beginning shows decimal commas the table is refused; a single one further down in a column of numbers
 * costs its record.
 *
 * @throws {TableRefused}
 */
export function rowOpener(
  source: TextSource,
  { head, isWhole, columns, delimiter, onUnknown }: Rows,
): Opener {
  const rows = rowsOf(source, head, delimiter, Infinity);
  const [first] = rows;
  const hasTitles = typeof columns.features[0] === 'string';
  // A table without any row has no record, unless it's one that can't be read.
  if (first === undefined)
    return {
      open: () => ({ defect: NO_LIST }),
      isRecord: ({ bytes }) => source.cells(bytes.toString(), delimiter) === undefined,
    };
  const other = hasTitles ? undefined : underAnotherDelimiter(source, head, delimiter);
  if (other !== undefined)
    throw new TableRefused(
      `begins with ${named(other.cells)} between ${JSON.stringify(other.delimiter)}: write decimal points, and set ` +
        'columns.delimiter of pipeline.json',
    );
  const places = hasTitles ? placesByTitle(first, columns) : placesByNumber(rows, columns);
  // The last row may be cut off.
  const below = rows.slice(hasTitles ? 1 : 0, isWhole ? rows.length : -1);
  const whole = below.filter((row) => row.length === first.length);
  const telling = places.features.map((at) => tellingCell(whole.map((row) => row[at] ?? '')));
  const writePoints = (at: number, cell: string | undefined): string =>
    `has ${JSON.stringify(cell)} in column ${JSON.stringify(columns.features[at])}: write decimal points`;
  const decimal = telling.findIndex(hasDecimalComma);
  if (decimal >= 0) throw new TableRefused(writePoints(decimal, telling[decimal]));
  const areNumbers = telling.map((cell) => cell === undefined || isNumber(cell));
  if (hasTitles) onUnknown(unknownTitles(first, columns));
  const toOpened = writerOf(columns);
  const open = ({ bytes }: TableRecord): Opened => {
    const cells = source.cells(bytes.toString(), delimiter);
    if (cells === undefined) return { defect: NO_LIST };
    if (cells.length !== first.length)
      return { defect: `has ${cells.length} cells, and the first row has ${first.length}` };
    const values = places.features.map((at) => source.value(cells[at] ?? ''));
    const comma = values.findIndex(({ cell }, at) => areNumbers[at] === true && hasDecimalComma(cell));
    if (comma >= 0) return { defect: writePoints(comma, values[comma]?.cell) };
    return toOpened(
      values,
      beside(places, (at) => source.value(cells[at] ?? '').cell),
    );
  };
  return { open, isRecord: (_, isFirst) => !(hasTitles && isFirst) };
}

/** The cells of a record that aren't sent, by where they lie; undefined if one is empty, or there's no such column. */
export function beside<Where>(
  { label, id }: { readonly label: Where | null; readonly id: Where | null },
  cellOf: (where: Where) => string | undefined,
): Beside {
  const trimmed = (where: Where | null): string | undefined => {
    const cell = where === null ? undefined : cellOf(where)?.trim().slice(0, MAX_BESIDE);
    return cell === '' ? undefined : cell;
  };
  return { label: trimmed(label), id: trimmed(id) };
}

/** Opens objects. @throws {TableRefused} */
export function jsonOpener(
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
export function writerOf(columns: TableColumns): (values: readonly Value[], others: Beside) => Opened {
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
