import { hash } from 'node:crypto';
import { inOrder } from '../../concurrency/in-order.ts';
import { placeText, recordName } from '../../input/record-name.ts';
import type { OpenedRecord } from '../../table/open-table.ts';
import { TableRefused } from '../../table/table-columns.ts';
import { grouped } from '../../text/figures.ts';
import { isKeyTooLong, MAX_KEY_BYTES } from '../../text/key-length.ts';
import type { InputLine } from '../records/input-line.ts';
import {
  type Indexed,
  type IndexItem,
  readTableProgress,
  type TableShare,
  writeMembers,
  writeTableProgress,
} from '../records/tars.ts';
import { openRows } from './open-rows.ts';
import { type IndexTarsServices, RESERVED_MS, unpackedKey, WRITES_AT_ONCE } from './staged-copy.ts';

/** A staged object holds at most so many records, and so many bytes unless one record has more. */
const PART_RECORDS = 1_000;
const PART_BYTES = 4_000_000;
/** A piece of the list has the records of so many of them at most: a function that dies has no more to repeat. */
const PIECE_PARTS = 100;
/** Columns that are noted. */
const MAX_UNKNOWN = 20;

/** Records that are staged together. */
interface Part {
  readonly lines: readonly InputLine[];
  /** Their text; none if no record can be read. */
  readonly staged?: { readonly key: string; readonly body: string };
  readonly isLast: boolean;
}

type Found = Pick<Indexed, 'unpacked' | 'pieces' | 'unknown'>;

/**
 * Lists the records of a table, each an input, and stages their text, many in an object.
 *
 * A call that runs out of time, or dies, is repeated and continues after the written pieces of the list. A piece that it had begun
 * is written again, identically. It finds the place by cutting the table from its beginning, in a tenth of the time that opening
 * takes: that also works in gzip, UTF-16 and lists, which can't be entered in the middle. Parquet is entered at a row group.
 *
 * @returns undefined if the time is up
 * @throws {TableRefused}
 */
export async function indexTable(
  item: IndexItem,
  share: TableShare,
  services: IndexTarsServices,
): Promise<Found | undefined> {
  const { store, leftMs, settings: { partRecords = PART_RECORDS, pieceParts = PIECE_PARTS } = {} } = services;
  const { object } = share;
  const { table, bucket } = item.settings;
  if (table === null) throw new RangeError('a table needs settings');
  const before = await readTableProgress(store, item);
  let { pieces, parts, unpacked, unknown } = before ?? { pieces: [], parts: 0, unpacked: 0 };
  const from = pieces.at(-1) ?? 0;
  let lines: InputLine[] = [];
  const writePiece = async (): Promise<void> => {
    const start = pieces.at(-1) ?? 0;
    const end = start + lines.length;
    await writeMembers(store, item, lines, [start, end]);
    pieces = [...pieces, end];
    lines = [];
  };
  const listNone = async (defect: string): Promise<Found> => {
    [pieces, lines] = [[], [{ ...object, defect }]];
    await writePiece();
    return { unpacked, pieces, unknown };
  };
  const opened = await openRows(store.in(bucket), object, table, {
    from,
    onUnknown: (titles) => (unknown ??= titles.slice(0, MAX_UNKNOWN)),
  });
  if ('defect' in opened) return listNone(opened.defect);
  const batches = unlessBehind(opened.rows, leftMs, from);
  const found = partsOf(item, share, batches, { number: parts, partRecords, bucket: store.bucket });
  for await (const [part] of inOrder(found, WRITES_AT_ONCE, async ({ staged }) => {
    if (staged !== undefined) await store.write(staged.key, staged.body);
  })) {
    lines.push(...part.lines);
    parts += 1;
    if (part.staged !== undefined) unpacked += 1;
    const isLate = leftMs() < RESERVED_MS;
    if (!part.isLast && !isLate && parts % pieceParts > 0) continue;
    await writePiece();
    if (part.isLast) return { unpacked, pieces, unknown };
    await writeTableProgress(store, item, { pieces, parts, unpacked, unknown });
    if (isLate) return undefined;
  }
  return listNone('has no record');
}

/**
 * Refuses a table that has no record more in the time of a function, which would never come to its end.
 *
 * @param from records that are passed over
 */
async function* unlessBehind<T>(
  batches: AsyncIterable<readonly T[]>,
  leftMs: () => number,
  from: number,
): AsyncGenerator<readonly T[]> {
  let isBehind = from > 0;
  for await (const batch of batches) {
    isBehind &&= batch.length === 0;
    if (isBehind && leftMs() < RESERVED_MS)
      throw new TableRefused(
        `is too long: ${grouped(from)} of its records are opened, and reading up to them takes all the time that a ` +
          'function has: cut it into smaller tables',
      );
    yield batch;
  }
}

async function* partsOf(
  item: IndexItem,
  { object, mostRecords }: TableShare,
  batches: AsyncIterable<readonly OpenedRecord[]>,
  first: { readonly number: number; readonly partRecords: number; readonly bucket: string },
): AsyncGenerator<Part> {
  const { partRecords, bucket } = first;
  let { number } = first;
  let records: OpenedRecord[] = [];
  let bytes = 0;
  const toPart = (isLast: boolean): Part => {
    const part = { ...partOf(item, object, records, { number: number++, bucket }), isLast };
    records = [];
    bytes = 0;
    return part;
  };
  for await (const batch of batches)
    for (const record of batch) {
      if (record.index >= mostRecords)
        throw new TableRefused(`has more than ${mostRecords} records: cut it into smaller tables`);
      const size = 'text' in record ? Buffer.byteLength(record.text) + 1 : 0;
      if (records.length > 0 && (records.length === partRecords || bytes + size > PART_BYTES))
        yield toPart(false);
      records.push(record);
      bytes += size;
    }
  if (records.length > 0) yield toPart(true);
}

function partOf(
  item: IndexItem,
  table: TableShare['object'],
  records: readonly OpenedRecord[],
  { number, bucket }: { readonly number: number; readonly bucket: string },
): Omit<Part, 'isLast'> {
  const lines: InputLine[] = [];
  const stagedKey = unpackedKey(item, `${table.key}/part-${placeText(number)}`);
  let body = '';
  let start = 0;
  for (const record of records) {
    const name = recordName(table.key, record.index);
    const line = {
      key: name,
      etag: record.content,
      lastModified: table.lastModified,
      source: hash('md5', `${table.etag} ${placeText(record.index)}`),
      record: { index: record.index, line: record.line, ...(record.id !== undefined && { id: record.id }) },
    };
    const defect = isKeyTooLong(stagedKey)
      ? `would have a copy with a key of more than ${MAX_KEY_BYTES} bytes: shorten its path`
      : (record.defect ?? defectOf(record.text, item.settings));
    if (record.defect !== undefined || defect !== undefined) {
      lines.push({ ...line, size: 0, defect });
      continue;
    }
    const size = Buffer.byteLength(record.text);
    const range = { start, end: start + size };
    lines.push({
      ...line,
      size,
      member: { object: table.key, etag: table.etag, ...range, unpacked: { bucket, key: stagedKey } },
      label: record.label,
    });
    body += `${record.text}\n`;
    start += size + 1;
  }
  return { lines, ...(body !== '' && { staged: { key: stagedKey, body } }) };
}

const BUNDLES = 'set transform.bundle to "auto" with an image of AWS';

/** Why a record can't be sent as it is. */
function defectOf(text: string, { cutsLines }: IndexItem['settings']): string | undefined {
  if (!cutsLines) return undefined;
  if (text.trim() === '') return `is empty, and SageMaker skips an empty line: ${BUNDLES}`;
  return /[\r\n]/.test(text)
    ? `has a line break in a cell, at which SageMaker cuts what is sent as lines: take it out, or ${BUNDLES}`
    : undefined;
}
