import { createGunzip } from 'node:zlib';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { LabelColumnUnclear, LabelFileUnreadable, type LabelRow, labelRows } from '../../label/label-rows.ts';
import { type PackedPart, type SortedPart, toPackedPart } from '../../label/sorted-labels.ts';
import { keyOfRow } from '../../label/truth-in-file.ts';
import type { Asked, FoundLabelFile } from '../../plan/found.ts';
import type { JudgedConfiguration } from '../../plan/judge-configuration.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { labelColumns } from '../../slice/dimension.ts';
import { isOneRecord as holdsOne } from '../../transform/one-record.ts';
import { findDropFile } from '../records/drop.ts';
import { labelIndexJson } from '../records/labels.ts';

/** Rows that wait in memory for their part to be sorted, about 200 MB of them. */
const PART_ROWS = 1_000_000;

/** Number of rows that take about the same memory with further columns. */
function partRowsWith(columns: number): number {
  return Math.floor(PART_ROWS / (1 + columns));
}

/** Sorts the rows of a label file, in parts that memory holds compressed: judging a run may read them often and writes nothing. */
export class LabelSorter {
  readonly #partRows: number;
  readonly #parts: PackedPart[] = [];
  #rows: LabelRow[] = [];

  constructor(partRows = PART_ROWS) {
    this.#partRows = partRows;
  }

  /** Takes rows whose keys are inputs. */
  add(rows: readonly LabelRow[]): void {
    for (const row of rows) this.#rows.push(row);
    if (this.#rows.length >= this.#partRows) this.#pack();
  }

  /** All parts, in the order of the file. */
  finish(): readonly PackedPart[] {
    if (this.#rows.length > 0) this.#pack();
    return this.#parts;
  }

  #pack(): void {
    this.#parts.push(toPackedPart(this.#rows));
    this.#rows = [];
  }
}

/** Reads the label file that a run's labels come from, and sorts it; null if there's none, which the check of the configuration reports. */
export async function readLabelFile(
  store: ObjectStore,
  { run, frozen }: Pick<Asked, 'run' | 'frozen'>,
  { config, hasTruth, slices }: JudgedConfiguration,
): Promise<FoundLabelFile | null> {
  const { truth } = config.labels;
  if (!hasTruth || truth?.from !== 'file') return null;
  const { path } = truth;
  const { key, found } = await findDropFile(store, run, path);
  const opened = found && (await store.open(key));
  if (opened === undefined) return null;
  const source = { key, etag: opened.etag };
  const input = { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix };
  const isOneRecord = holdsOne(config.transform);
  const columns = labelColumns(slices.dimensions);
  const sorter = new LabelSorter(partRowsWith(columns.length));
  try {
    for await (const rows of labelRows(path, opened.body, columns)) {
      sorter.add(
        rows.map((row) => ({
          ...row,
          key: keyOfRow(row.key, input),
          recordIndex: isOneRecord ? undefined : row.recordIndex,
        })),
      );
    }
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    const message =
      error instanceof LabelColumnUnclear
        ? `${error.detail}: ${error.remedy}, or correct report.slices in pipeline.json`
        : error.detail;
    const field = error instanceof LabelColumnUnclear ? error.column : '';
    return { source, parts: [], problems: [{ file: error.file, field, value: '', message }] };
  }
  return { source, parts: sorter.finish(), problems: [] };
}

/** The text of a part, as it is unpacked. */
export function unpackPart({ gzip }: Pick<PackedPart, 'gzip'>): AsyncIterable<Uint8Array> {
  const unpacked = createGunzip();
  unpacked.end(gzip);
  return unpacked;
}

/**
 * Writes sorted labels for a run, and returns the key of the index that leads to them. A shard is a stretch of keys, so that each Lambda that
 * folds one reads a few blocks instead of the file.
 */
export async function writeSortedLabels(
  store: ObjectStore,
  run: RunParts,
  packed: readonly PackedPart[],
): Promise<string> {
  const parts: SortedPart[] = [];
  for (const { gzip, ...part } of packed) {
    const object = bucketLayout.labelPart(run, parts.length);
    await store.writeStream(object, unpackPart({ gzip }), { contentType: 'application/jsonlines' });
    parts.push({ object, ...part });
  }
  const key = bucketLayout.labelIndex(run);
  await labelIndexJson(key).write(store, { schema: 1, parts });
  return key;
}
