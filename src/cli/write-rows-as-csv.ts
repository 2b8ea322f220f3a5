import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { parquetReadObjects } from 'hyparquet';
import type { ObjectStore } from '../aws/object-store.ts';
import { bucketLayout } from '../drop/bucket-layout.ts';
import type { RunParts } from '../drop/run-id.ts';
import { csvCell } from '../report/errors-csv.ts';

const COLUMNS = ['key', 'record_index', 'truth', 'prediction', 'score', 'top_k', 'correct', 'error'] as const;

/**
 * Writes a run's prediction rows as CSV, shard after shard, so that memory holds one shard. A cell that a spreadsheet
 * would take for a formula is made text.
 */
export async function writeRowsAsCsv(store: ObjectStore, run: RunParts, out: Writable): Promise<void> {
  out.write(`${COLUMNS.join(',')}\r\n`);
  for await (const { key } of store.list(`${bucketLayout.run(run)}rows/`)) {
    const bytes = await store.readBytes(key);
    if (!bytes) continue;
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    for (const row of rows) {
      const line = COLUMNS.map((column) => csvCell(toText(row[column]))).join(',');
      if (!out.write(`${line}\r\n`)) await once(out, 'drain');
    }
  }
}

function toText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
