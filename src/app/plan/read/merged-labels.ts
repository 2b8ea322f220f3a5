import type { LabelRow } from '../../../label/label-row.ts';
import { compareRows, type PackedPart, readSortedRow } from '../../../label/sorted-labels.ts';
import { readLines } from '../../../text/json-lines.ts';
import { unpackPart } from './label-file.ts';

/** Rows in a batch, since waiting for each of ten million takes longer than reading it. */
const BATCH_ROWS = 2_000;

/**
 * The rows of all sorted parts of a label file in one order, a batch at a time; rows of one record stand in the order of the file.
 * Besides the packed parts, memory holds a batch of each.
 */
export async function* mergedLabels(
  parts: readonly Pick<PackedPart, 'gzip'>[],
): AsyncGenerator<readonly LabelRow[]> {
  const cursors: Cursor[] = [];
  for (const part of parts) {
    const batches = batchesOf(unpackPart(part));
    const cursor: Cursor = { rows: [], at: 0, batches };
    if (await refill(cursor)) cursors.push(cursor);
  }
  let batch: LabelRow[] = [];
  while (cursors.length > 0) {
    let least = 0;
    for (let place = 1; place < cursors.length; place++)
      if (compareHeads(cursors[place], cursors[least]) < 0) least = place;
    const cursor = cursors[least];
    const row = cursor?.rows[cursor.at];
    if (cursor === undefined || row === undefined) break;
    batch.push(row);
    cursor.at += 1;
    if (cursor.at === cursor.rows.length && !(await refill(cursor))) cursors.splice(least, 1);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Cursor {
  rows: readonly LabelRow[];
  /** Index of the next row; there always is one. */
  at: number;
  readonly batches: AsyncGenerator<readonly LabelRow[]>;
}

/**
 * Compares the next rows of two parts. If they're equal, the earlier part's row comes first, since the least cursor only gives way to a
 * smaller one.
 */
function compareHeads(a: Cursor | undefined, b: Cursor | undefined): number {
  const left = a?.rows[a.at];
  const right = b?.rows[b.at];
  return left === undefined || right === undefined ? 0 : compareRows(left, right);
}

async function refill(cursor: Cursor): Promise<boolean> {
  const next = await cursor.batches.next();
  cursor.at = 0;
  cursor.rows = next.done === true ? [] : next.value;
  return next.done !== true;
}

async function* batchesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly LabelRow[]> {
  let batch: LabelRow[] = [];
  for await (const line of readLines(chunks)) {
    batch.push(readSortedRow(line));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
