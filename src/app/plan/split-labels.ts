import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { LabelRow } from '../../label/label-rows.ts';
import { type SortedPart, toSortedPart } from '../../label/sorted-labels.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { labelIndexJson } from '../records/labels.ts';

/** Rows that wait in memory for their part to be sorted, about 200 MB of them. */
const PART_ROWS = 1_000_000;

/** Number of rows that take about the same memory with further columns. */
export function partRowsWith(columns: number): number {
  return Math.floor(PART_ROWS / (1 + columns));
}

/**
 * Writes the rows of a label file in sorted parts. A shard is a stretch of keys, so that each Lambda that
 * folds one reads a few blocks instead of the file.
 */
export class LabelSplitter {
  readonly #store: ObjectStore;
  readonly #run: RunParts;
  readonly #partRows: number;
  readonly #parts: SortedPart[] = [];
  #rows: LabelRow[] = [];

  constructor(store: ObjectStore, run: RunParts, partRows = PART_ROWS) {
    this.#store = store;
    this.#run = run;
    this.#partRows = partRows;
  }

  /** Takes rows whose keys are inputs. */
  async add(rows: readonly LabelRow[]): Promise<void> {
    for (const row of rows) this.#rows.push(row);
    if (this.#rows.length >= this.#partRows) await this.#writePart();
  }

  /** Key of the index that leads to the parts. */
  async finish(): Promise<string> {
    if (this.#rows.length > 0) await this.#writePart();
    const key = bucketLayout.labelIndex(this.#run);
    await labelIndexJson(key).write(this.#store, { schema: 1, parts: this.#parts });
    return key;
  }

  async #writePart(): Promise<void> {
    const object = bucketLayout.labelPart(this.#run, this.#parts.length);
    const { text, ...part } = toSortedPart(this.#rows);
    this.#rows = [];
    await this.#store.write(object, text, { contentType: 'application/jsonlines' });
    this.#parts.push({ object, ...part });
  }
}
