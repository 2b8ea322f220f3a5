import { hash } from 'node:crypto';
import { inOrder } from '../../concurrency/in-order.ts';
import { placeText, recordName } from '../../input/record-name.ts';
import type { OpenedRecord } from '../../table/open-table.ts';
import { TableRefused } from '../../table/table-columns.ts';
import { isKeyTooLong, MAX_KEY_BYTES } from '../../text/key-length.ts';
import type { InputLine } from '../records/inputs.ts';
import { type IndexItem, type TableShare, writeMembers } from '../records/tars.ts';
import { openRows } from './open-rows.ts';
import { type IndexTarsServices, unpackedKey, WRITES_AT_ONCE } from './staged-copy.ts';
import { BUDGET_MS } from './unpack-tar.ts';

/** A staged object holds at most so many records, and so many bytes unless one record has more. */
const PART_RECORDS = 1_000;
const PART_BYTES = 4_000_000;
/** Columns that are noted. */
const MAX_UNKNOWN = 20;

/** Records that are staged together. */
interface Part {
  readonly lines: readonly InputLine[];
  /** Their text; none if no record can be read. */
  readonly staged?: { readonly key: string; readonly body: string };
}

/**
 * Lists the records of a table, each an input, and stages their text, many in an object.
 *
 * @throws {TableRefused}
 */
export async function indexTable(
  item: IndexItem,
  { object, mostRecords }: TableShare,
  { store, clock }: IndexTarsServices,
): Promise<{ readonly unpacked: number; readonly unknown: string[] }> {
  const source = store.in(item.settings.bucket);
  let writes = 0;
  const unknown: string[] = [];
  async function* lines(): AsyncGenerator<InputLine> {
    const { table } = item.settings;
    if (table === null) throw new RangeError('a table needs settings');
    const opened = await openRows(source, object, table, (titles) => unknown.push(...titles));
    if ('defect' in opened) return yield { ...object, defect: opened.defect };
    const parts = partsOf(item, object, inTime(opened.rows, clock), mostRecords, store.bucket);
    const written = inOrder(parts, WRITES_AT_ONCE, async ({ staged }) => {
      if (staged !== undefined) await store.write(staged.key, staged.body);
    });
    let isEmpty = true;
    for await (const [part] of written) {
      isEmpty = false;
      if (part.staged !== undefined) writes += 1;
      yield* part.lines;
    }
    if (isEmpty) yield { ...object, defect: 'has no record' };
  }
  await writeMembers(store, item, lines());
  return { unpacked: writes, unknown: unknown.slice(0, MAX_UNKNOWN) };
}

/** Refuses a table that takes longer to open than a function has. */
async function* inTime<T>(
  batches: AsyncIterable<readonly T[]>,
  clock: () => Date,
): AsyncGenerator<readonly T[]> {
  const deadline = clock().getTime() + BUDGET_MS;
  let count = 0;
  for await (const batch of batches) {
    if (clock().getTime() > deadline)
      throw new TableRefused(
        `has more records than a function opens in 12 minutes, which were ${count}: cut it into smaller tables`,
      );
    count += batch.length;
    yield batch;
  }
}

async function* partsOf(
  item: IndexItem,
  table: TableShare['object'],
  batches: AsyncIterable<readonly OpenedRecord[]>,
  mostRecords: number,
  bucket: string,
): AsyncGenerator<Part> {
  let records: OpenedRecord[] = [];
  let bytes = 0;
  let count = 0;
  let number = 0;
  const toPart = (): Part => {
    const part = partOf(item, table, records, { number: number++, bucket });
    records = [];
    bytes = 0;
    return part;
  };
  for await (const batch of batches)
    for (const record of batch) {
      count += 1;
      if (count > mostRecords)
        throw new TableRefused(`has more than ${mostRecords} records: cut it into smaller tables`);
      const size = 'text' in record ? Buffer.byteLength(record.text) + 1 : 0;
      if (records.length > 0 && (records.length === PART_RECORDS || bytes + size > PART_BYTES))
        yield toPart();
      records.push(record);
      bytes += size;
    }
  if (records.length > 0) yield toPart();
}

function partOf(
  item: IndexItem,
  table: TableShare['object'],
  records: readonly OpenedRecord[],
  { number, bucket }: { readonly number: number; readonly bucket: string },
): Part {
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
      ? `would have a copy whose key has more than ${MAX_KEY_BYTES} bytes: shorten its path`
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
