import { csvCells } from './cells.ts';
import { type Cut, recordsOf } from './record-cutter.ts';

/** A record of CSV in memory. */
export interface CsvRow {
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
  /** Cells as written, quotes included. */
  readonly cells: readonly string[];
}

/** Rows of CSV in memory, cut lazily. @throws {RecordUnreadable} once the rows before it were taken */
export function* csvRows(text: string, cut: Omit<Cut, 'notation'> = {}): Generator<CsvRow> {
  for (const { line, bytes } of recordsOf(text, { ...cut, notation: 'csv' })) {
    const row = bytes.toString();
    yield { line, text: row, cells: csvCells(row, cut.delimiter) };
  }
}
