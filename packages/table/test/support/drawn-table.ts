import { cellText, csvCells } from '../../cells.ts';
import { type Cut, RecordCutter, RecordUnreadable, type TableRecord } from '../../record-cutter.ts';

/** A table as lab/draw_tables.py draws it, with its records as Python's csv reads them. */
export interface DrawnTable {
  /** In Base64. */
  readonly bytes: string;
  readonly delimiter: string;
  readonly lenient: readonly (readonly string[])[];
  readonly strict: readonly { readonly line: number; readonly cells: readonly string[] }[] | null;
}

/** The table's records, from chunks of odd sizes. Null if a quote never closes. */
export function readDrawn({ bytes, delimiter }: DrawnTable, next: () => number, cut: Partial<Cut> = {}) {
  const text = Buffer.from(bytes, 'base64');
  const cutter = new RecordCutter({ notation: 'csv', delimiter, ...cut });
  const records: TableRecord[] = [];
  try {
    for (let at = 0; at < text.length;) {
      const size = 1 + Math.floor(next() * (next() < 0.3 ? 3 : 200));
      records.push(...cutter.push(text.subarray(at, at + size)));
      at += size;
    }
    records.push(...cutter.end());
  } catch (error) {
    if (error instanceof RecordUnreadable && error.reason === 'unclosed-quote') return null;
    throw error;
  }
  return records.map((record) => ({
    line: record.line,
    cells: csvCells(record.bytes.toString(), delimiter).map(cellText),
    /** Whether the record's range in the file holds its bytes. */
    isInPlace: text.subarray(record.start, record.end).equals(record.bytes),
  }));
}
