import { createGunzip } from 'node:zlib';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Frozen } from '../../../drop/frozen.ts';
import { fileOfRecord, recordName } from '../../../input/record-name.ts';
import {
  type AskedColumns,
  type ChooseColumns,
  type LabelColumns,
  NamedInputs,
} from '../../../label/label-columns.ts';
import { LabelColumnUnclear, LabelFileUnreadable, type LabelRow } from '../../../label/label-row.ts';
import { isJsonLabels, labelRows } from '../../../label/label-rows.ts';
import { type PackedPart, type SortedPart, toPackedPart } from '../../../label/sorted-labels.ts';
import { hasAccents, type InputPlace, keyOfRow, NameForm } from '../../../label/truth-in-file.ts';
import type { PipelineConfig } from '../../../pipeline/pipeline-config.ts';
import type { Asked, FoundLabelFile } from '../../../plan/found.ts';
import type { JudgedConfiguration } from '../../../plan/judge/judge-configuration.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { grouped, plural } from '../../../text/figures.ts';
import { isOneRecord as holdsOne, opensFiles } from '../../../transform/one-record.ts';
import { findDropFile } from '../../records/drop.ts';
import { readAllInputs } from '../../records/inputs.ts';
import { labelIndexJson } from '../../records/labels.ts';

/** Rows that wait in memory for their part to be sorted, about 200 MB of them. */
const PART_ROWS = 1_000_000;

/** Cap on the rows of a label file: packed they take about 9 MB a million, and the function that sorts them has 1,769 MB. */
const MAX_ROWS = 50_000_000;

/** Rows with further columns that take about as much memory as a number of rows without. */
function rowsWith(columns: number, rows: number): number {
  return Math.floor(rows / (1 + columns));
}

/** Sorts the rows of a label file, in parts that memory holds compressed: judging a run may read them often and writes nothing. */
export class LabelSorter {
  /** Rows that were added. */
  rows = 0;
  readonly #partRows: number;
  readonly #parts: PackedPart[] = [];
  #waiting: LabelRow[] = [];

  constructor(partRows = PART_ROWS) {
    this.#partRows = partRows;
  }

  /** Takes rows with inputs' keys. */
  add(rows: readonly LabelRow[]): void {
    this.rows += rows.length;
    for (const row of rows) this.#waiting.push(row);
    if (this.#waiting.length >= this.#partRows) this.#pack();
  }

  /** All parts, in the order of the file. */
  finish(): readonly PackedPart[] {
    if (this.#waiting.length > 0) this.#pack();
    return this.#parts;
  }

  #pack(): void {
    this.#parts.push(toPackedPart(this.#waiting));
    this.#waiting = [];
  }
}

/** Reads the label file that a run's labels come from, and sorts it; null if there's none, which the check of the configuration reports. */
export async function readLabelFile(
  store: ObjectStore,
  { run, frozen }: Pick<Asked, 'run' | 'frozen'>,
  { config, classes, hasTruth, slices }: JudgedConfiguration,
  maxRows = MAX_ROWS,
): Promise<FoundLabelFile | null> {
  const { truth } = config.labels;
  if (!hasTruth || truth?.from !== 'file') return null;
  const { key, found } = await findDropFile(store, run, truth.path);
  const opened = found && (await store.open(key));
  if (opened === undefined) return null;
  const asked = { run, frozen, config, truth, classes, columns: slices.columns };
  const read = await sortLabelFile(store, asked, opened.body, maxRows);
  return { ...read, source: { key, etag: opened.etag } };
}

/** A run, and the settings by which it reads a label file. */
interface AskedLabels {
  readonly run: RunParts;
  readonly frozen: Pick<Frozen, 'sourceBucket' | 'sourcePrefix'>;
  readonly config: Pick<PipelineConfig, 'transform' | 'columns'>;
  readonly truth: { readonly path: string; readonly column: string | null };
  readonly classes: readonly string[];
  /** Further columns that the rows carry. */
  readonly columns: readonly string[];
}

/** Reads and sorts the labels of a run from the bytes of their file, which may not be in its place yet. */
export async function sortLabelFile(
  store: ObjectStore,
  { run, frozen, config, truth, classes, columns: fields }: AskedLabels,
  body: AsyncIterable<Uint8Array>,
  maxRows = MAX_ROWS,
): Promise<Omit<FoundLabelFile, 'source'>> {
  const { path, column } = truth;
  const input = { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix };
  const cut = { ...config.transform, columns: config.columns };
  const [isOneRecord, isOpened] = [holdsOne(cut), opensFiles(cut)];
  const most = rowsWith(fields.length, maxRows);
  const sorter = new LabelSorter(rowsWith(fields.length, PART_ROWS));
  let columns: LabelColumns | undefined;
  let form: NameForm | undefined;
  const choose: ChooseColumns = async (head) => {
    const chosen = await columnsByInputs(store, run, input, { classes, column, fields })(head);
    if (!('refusal' in chosen)) columns = chosen;
    return chosen;
  };
  const nothing = { from: '', isOneHot: false, parts: [] };
  try {
    for await (const rows of labelRows(path, body, { fields, column, choose })) {
      if (form === undefined && rows.some(({ key }) => hasAccents(key))) {
        form = new NameForm(input.prefix);
        for await (const { name } of readAllInputs(store, run)) form.add(name);
      }
      const nameOf = (key: string): string => form?.nameOf(key) ?? key;
      // A row of a table's labels names the table and the place of the record.
      const inputOf = ({ key, recordIndex }: LabelRow): string =>
        !isOpened || recordIndex === undefined
          ? keyOfRow(key, input)
          : recordName(keyOfRow(key, input), recordIndex);
      sorter.add(
        rows.map((row) => ({
          ...row,
          key: nameOf(inputOf(row)),
          recordIndex: isOneRecord ? undefined : row.recordIndex,
        })),
      );
      if (sorter.rows <= most) continue;
      const message =
        `has more than ${grouped(most)} rows, which is as many as can be sorted in memory: split the drop, and give ` +
        'each drop the labels of its own files';
      return { ...nothing, problems: [{ file: path, field: '', value: '', message }] };
    }
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    const message =
      error instanceof LabelColumnUnclear
        ? `${error.detail}: ${error.remedy}, or correct report.slices in pipeline.json`
        : error.detail;
    const field = error instanceof LabelColumnUnclear ? error.column : '';
    return { ...nothing, problems: [{ file: error.file, field, value: '', message }] };
  }
  const words = isJsonLabels(path) ? `fields "key" and "${column ?? 'label'}"` : (columns?.words ?? 'no row');
  const from = `${path}, ${words}, ${plural(sorter.rows, 'row')}`;
  const isOneHot = typeof columns?.label === 'object';
  return { from, isOneHot, parts: sorter.finish(), problems: [] };
}

/** Chooses the columns of a label file by the inputs of a run that its cells name. */
function columnsByInputs(
  store: ObjectStore,
  run: RunParts,
  place: InputPlace,
  asked: AskedColumns,
): ChooseColumns {
  return async (head) => {
    const inputs = new NamedInputs(head, (cell) => keyOfRow(cell, place));
    let table = '';
    for await (const { name, record } of readAllInputs(store, run)) {
      inputs.add(name);
      if (record === undefined || fileOfRecord(name) === table) continue;
      table = fileOfRecord(name);
      inputs.add(table);
    }
    return inputs.decide(asked);
  };
}

/** The text of a part, as it is unpacked. */
export function unpackPart({ gzip }: Pick<PackedPart, 'gzip'>): AsyncIterable<Uint8Array> {
  const unpacked = createGunzip();
  unpacked.end(gzip);
  return unpacked;
}

/**
 * Writes sorted labels for a run, and returns the key of the index that leads to them. A shard is a stretch of keys, so
 * that each Lambda that folds one reads a few blocks instead of the file.
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
