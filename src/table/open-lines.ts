import { peek, toUtf8 } from '@inferdrop/table/internal/text-chunks';
import { readRecords, type TableRecord } from '@inferdrop/table/record-cutter';
import { HEAD_BYTES } from '../file-kind/file-kind.ts';
import { isLabelTitle } from '../label/label-titles.ts';
import { truthInRecord } from '../label/truth-in-record.ts';
import { filterInputRecord, readInputRecord } from '../prediction/input-record.ts';
import { type JsonPath, parseJsonPath } from '../prediction/json-path.ts';
import { MAX_RECORD_BYTES, rowsOf } from './head-rows.ts';
import { type OpenedRecord, openRecords } from './open-table.ts';
import type { Opened } from './record-opener.ts';
import { CSV, DOCUMENT, sourceOf } from './sources.ts';
import { areNumbered, isNumber, named, TableRefused } from './table-columns.ts';
import { onOneLine } from './value.ts';

const BROKEN =
  "begins as a JSON document of many lines, and isn't one: correct it, or write JSON Lines, a record a line";

/** How the lines of a file are read if the pipeline names no columns. */
interface LineSettings {
  /** Notation of a record; `text` is sent as it is. */
  readonly notation: 'csv' | 'json' | 'text';
  /** JSONPath to the part of a record that is sent; null for all of it. */
  readonly filter: string | null;
  /** JSONPath to its label; null if labels lie elsewhere. */
  readonly truth: string | null;
}

/**
 * The records of a file in which each line is one, as the model gets them. In CSV a record may hold line breaks within quotes, and a file
 * that is one JSON document is one record.
 *
 * @param from number of records that are passed over, since they were opened before
 * @throws {TableRefused} if it begins with a row of titles, which would be predicted as a record, or has a record without an end
 */
export async function* openLines(
  chunks: AsyncIterable<Uint8Array>,
  { notation, filter: sent, truth: label }: LineSettings,
  from = 0,
): AsyncGenerator<readonly OpenedRecord[]> {
  const filter = toPath('transform.inputFilter', sent);
  const truth = toPath('labels.truth.path', label);
  const { head, whole } = await peek(toUtf8(chunks), HEAD_BYTES);
  // What is no text is refused by its name.
  const source = notation === 'text' ? undefined : sourceOf(head);
  if (source?.records === 'columns')
    throw new TableRefused(`is ${source.what}: set columns in pipeline.json, which opens it`);
  if (notation === 'csv') refuseTitles(head, truth);
  const cut = { delimiter: ',', maxBytes: MAX_RECORD_BYTES };
  const isDocument = notation === 'json' && source === DOCUMENT;
  const records = isDocument
    ? source.read(whole, cut)
    : readRecords(whole, { notation: notation === 'csv' ? 'csv' : 'lines', ...cut });
  const open = ({ bytes }: TableRecord): Opened => {
    const text = isDocument ? onOneLine(bytes.toString()) : bytes.toString();
    if (notation === 'text') return { text, label: undefined };
    const record = readInputRecord(text, notation);
    if (record === undefined && isDocument) throw new TableRefused(BROKEN);
    if (record === undefined) return { defect: 'is no JSON document' };
    const part = filter === null ? text : filterInputRecord(text, notation, filter);
    if (part === undefined) return { defect: `has nothing at transform.inputFilter ${sent ?? ''}` };
    return { text: part, label: truth === null ? undefined : truthInRecord(record, truth) };
  };
  yield* openRecords(records, { open }, from);
}

function toPath(field: string, text: string | null): JsonPath | null {
  const path = text === null ? null : parseJsonPath(text);
  if (path !== null && 'reason' in path) throw new RangeError(`${field} ${path.reason}`);
  return path;
}

/** A row of titles is told by the numbers below it, by its own numbers from 0 on, or by the title of the labels. */
function refuseTitles(head: Buffer, truth: JsonPath | null): void {
  const [first = [], second = []] = rowsOf(CSV, head, ',');
  const title = truth === null ? undefined : truthInRecord(first, truth);
  const below = truth === null ? undefined : truthInRecord(second, truth);
  const isOverNumbers =
    first.length === second.length &&
    !first.some(isNumber) &&
    second.filter(isNumber).length * 2 > second.length;
  if (
    isOverNumbers ||
    areNumbered(first, second) ||
    (title !== undefined && isLabelTitle(title) && title !== below)
  )
    throw new TableRefused(
      `begins with a row of titles (${named(first)}), which would be predicted as a record: name those that the model ` +
        'takes in columns.features of pipeline.json, or leave the row out',
    );
}
