import { RecordUnreadable } from '@inferdrop/table/record-cutter';
import { type OpenedRecord, openTable } from './open-table.ts';
import { type TableColumns, TableRefused } from './table-columns.ts';

/** Facts about a table that its first bytes tell before it's uploaded. */
export interface JudgedHead {
  /** Why the table can't be opened, in words that follow its name. */
  readonly refusal?: string;
  /** Columns that pipeline.json names nowhere. */
  readonly unknown: readonly string[];
  /** The first record that can't be read. */
  readonly defect?: (OpenedRecord & { readonly defect: string }) | undefined;
}

/** Judges the first bytes of a table as the plan will judge all of it. @param isWhole whether the table has no others */
export async function judgeHead(
  head: Uint8Array,
  columns: TableColumns,
  isWhole: boolean,
): Promise<JudgedHead> {
  // A row that is wider than the head tells nothing.
  if (!isWhole && !/[\r\n]|^\S{0,3}\s*[[{]/.test(Buffer.from(head).toString('latin1')))
    return { unknown: [] };
  const unknown: string[] = [];
  let records: readonly OpenedRecord[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield head;
  }
  try {
    for await (const some of openTable(chunks(), columns, { onUnknown: (titles) => unknown.push(...titles) }))
      records = [...records, ...some];
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error;
    // A quote may close after the head.
    if (isWhole || !(error.cause instanceof RecordUnreadable)) return { unknown, refusal: error.message };
  }
  // The last record may be cut off.
  const read = isWhole ? records : records.slice(0, -1);
  return { unknown, defect: read.find((record) => record.defect !== undefined) };
}
