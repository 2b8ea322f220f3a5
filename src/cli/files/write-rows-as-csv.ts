import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { csvTable, type CsvValue } from '../../report/table/csv-table.ts';
import { readRows, type StoredRow } from '../../report/table/read-rows.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { visible } from '../show/terminal.ts';

const COLUMNS = [
  ...(['key', 'record_index', 'line', 'id', 'truth', 'prediction'] as const),
  ...(['score', 'top_k', 'correct', 'error'] as const),
] as const;

/**
 * Writes a run's prediction rows as CSV, a row group at a time, so that memory holds one shard's file. On a
 * terminal, control characters are shown as code points.
 */
export async function writeRowsAsCsv(store: ObjectStore, run: RunParts, out: Writable): Promise<void> {
  const isTerminal = 'isTTY' in out && out.isTTY === true;
  const shown = (value: CsvValue): CsvValue =>
    isTerminal && typeof value === 'string' ? visible(value) : value;
  const table = csvTable<StoredRow>(
    Object.fromEntries(COLUMNS.map((column) => [column, (row: StoredRow) => shown(row[column])])),
  );
  out.write(table.header);
  for await (const { key } of store.list(bucketLayout.rowsFolder(run))) {
    const bytes = await store.readBytes(key);
    if (!bytes) continue;
    for await (const rows of readRows(bytes)) {
      if (!out.write(rows.map(table.line).join(''))) await once(out, 'drain');
    }
  }
}
