import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { peek, toUtf8 } from '@inferdrop/table/internal/text-chunks';
import { RecordUnreadable, type TableRecord } from '@inferdrop/table/record-cutter';
import { HEAD_BYTES } from '../file-kind/file-kind.ts';
import { delimiterOf, MAX_RECORD_BYTES, peekRows } from './head-rows.ts';
import type { FileRanges, ParquetTable } from './parquet-rows.ts';
import { beside, jsonOpener, type Opened, type Opener, rowOpener, writerOf } from './record-opener.ts';
import { sourceOf } from './sources.ts';
import { placesByTitle, type TableColumns, TableRefused, unknownTitles } from './table-columns.ts';
import type { Value } from './value.ts';

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
  const source = sourceOf(begun.head.subarray(0, HEAD_BYTES));
  if (source.records === 'columns') {
    if (ranges === undefined) throw new TableRefused(`is ${source.what} within gzip: unpack it`);
    return yield* openColumns(source.what, await source.open(ranges), columns, { onUnknown, from });
  }
  const { head, whole, isWhole } = await peekRows(source, begun);
  const delimiter = source.what === 'CSV' ? delimiterOf(source, head, columns) : ',';
  const opener =
    source.records === 'rows'
      ? rowOpener(source, { head, isWhole, columns, delimiter, onUnknown })
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
