import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { csvCell } from '../../report/table/errors-csv.ts';
import { readRows } from '../../report/table/read-rows.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { visible } from '../show/terminal.ts';

const COLUMNS = ['key', 'record_index', 'truth', 'prediction', 'score', 'top_k', 'correct', 'error'] as const;

/**
 * Writes a run's prediction rows as CSV, a row group at a time, so that memory holds one shard's file. A cell that a spreadsheet
 * would take for a formula is quoted as text; on a terminal, control characters are shown as code points.
 */
export async function writeRowsAsCsv(store: ObjectStore, run: RunParts, out: Writable): Promise<void> {
  out.write(`${COLUMNS.join(',')}\r\n`);
  const isTerminal = 'isTTY' in out && out.isTTY === true;
  const toCell = (text: string): string => csvCell(isTerminal ? visible(text) : text);
  for await (const { key } of store.list(bucketLayout.rowsFolder(run))) {
    const bytes = await store.readBytes(key);
    if (!bytes) continue;
    for await (const rows of readRows(bytes)) {
      const lines = rows.map((row) => COLUMNS.map((column) => toCell(toText(row[column]))).join(','));
      if (!out.write(`${lines.join('\r\n')}\r\n`)) await once(out, 'drain');
    }
  }
}

function toText(value: string | number | boolean | null): string {
  return value === null ? '' : String(value);
}
