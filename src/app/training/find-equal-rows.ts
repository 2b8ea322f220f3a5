import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { TableRefused } from '../../table/table-columns.ts';
import { type EqualRows, RowComparison } from '../../training/equal-rows.ts';
import { openRows } from '../inputs/open-rows.ts';
import { readManifest } from '../records/manifest.ts';
import type { IndexSettings } from '../records/tars.ts';

/** Time for opening tables, of the function's 300 s. */
const MAX_OPENING_MS = 200_000;
/** Cap on the files that are named because they weren't read. */
const MAX_NAMED = 3;

type Table = NonNullable<IndexSettings['table']>;
type Content = Pick<ManifestEntry, 'key' | 'etag' | 'size'>;

/** A content of rows of an evaluation, and a file that has it. */
export interface JudgedRow {
  readonly size: number;
  readonly key: string;
  /** Rows of it, copies of files among them. */
  readonly copies: number;
  /** Rows of it outside files that the other model was trained on. */
  readonly others: number;
}

/** Opens the tables of an evaluation, then the trainings' tables, as long as there's time. */
export class RowFinder {
  /** Files that were not read to their end, the first with the reasons. */
  readonly unread: { count: number; first: string[] } = { count: 0, first: [] };
  readonly rows = new Map<string, JudgedRow>();
  /** Rows of different files, by their contents. */
  readonly #counts = new Map<string, number>();
  readonly #store: ObjectStore;
  readonly #table: Table;
  readonly #isLate: () => boolean;

  constructor({ store, clock }: { readonly store: ObjectStore; readonly clock: () => Date }, table: Table) {
    const until = clock().getTime() + MAX_OPENING_MS;
    this.#store = store;
    this.#table = table;
    this.#isLate = () => clock().getTime() > until;
  }

  /**
   * Reads a file of the evaluation that has `copies` with the same bytes, and returns the number of its rows.
   *
   * @param isCompared false if all of it is set aside anyway, so that its rows are only counted
   * @param isKnown whether the other model was trained on the file
   * @param most rows that are still compared
   */
  async read(
    file: Content,
    {
      copies,
      isCompared,
      isKnown,
      most,
    }: {
      readonly copies: number;
      readonly isCompared: boolean;
      readonly isKnown: boolean;
      readonly most: number;
    },
  ): Promise<number> {
    let count = 0;
    await this.#open(file, (content, size) => {
      if (count * copies >= most) return 'has more rows than are compared';
      count += 1;
      if (!isCompared) return undefined;
      const row = this.rows.get(content) ?? { size, key: file.key, copies: 0, others: 0 };
      this.rows.set(content, {
        ...row,
        copies: row.copies + copies,
        others: row.others + (isKnown ? 0 : copies),
      });
      this.#counts.set(content, (this.#counts.get(content) ?? 0) + 1);
      return undefined;
    });
    return count;
  }

  /** Compares the evaluation's rows with a training's; copies of a file count once. */
  async compare(training: RunParts): Promise<EqualRows> {
    const comparison = new RowComparison(this.#counts);
    const files = new Set<string>();
    for await (const file of readManifest(this.#store, bucketLayout.manifest(training))) {
      if (files.has(file.etag)) continue;
      files.add(file.etag);
      await this.#open(file, (content) => void comparison.add(content));
    }
    return comparison.finish();
  }

  /** Takes the rows of a file, to its end or until `take` says why not. */
  async #open(file: Content, take: (content: string, size: number) => string | undefined): Promise<void> {
    const why = await this.#take(file, take);
    if (why === undefined) return;
    this.unread.count += 1;
    if (this.unread.first.length < MAX_NAMED) this.unread.first.push(`${file.key} ${why}`);
  }

  async #take(
    file: Content,
    take: (content: string, size: number) => string | undefined,
  ): Promise<string | undefined> {
    const late = `is not read to its end within ${MAX_OPENING_MS / 1000} s`;
    if (this.#isLate()) return late;
    const opened = await openRows(this.#store, file, this.#table);
    if ('defect' in opened) return opened.defect;
    try {
      for await (const batch of opened.rows) {
        for (const row of batch) {
          const why = take(row.content, row.defect === undefined ? Buffer.byteLength(row.text) : 0);
          if (why !== undefined) return why;
        }
        if (this.#isLate()) return late;
      }
    } catch (error) {
      if (error instanceof TableRefused) return error.message;
      throw error;
    }
    return undefined;
  }
}
