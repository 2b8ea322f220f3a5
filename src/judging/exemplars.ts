import { compareByteOrder } from '../text/byte-order.ts';

/** Records kept of each cell. */
const PER_CELL = 3;
/** Records kept of all cells. */
const MAX_KEPT = 2_000;

/** A record of a cell, such as a truth and a prediction. */
export interface CellRecord {
  readonly cell: number;
  /** Number of the record in a lottery (`drawOf`). */
  readonly draw: number;
  readonly key: string;
  readonly recordIndex: number;
}

/**
 * Up to three records of each cell, and 2,000 in all, which stand for their cells: in a cell the records with the smallest draws, so that
 * they are a random sample of it; over all cells the firsts before the seconds before the thirds. Partial results merge in any order to the
 * same result: a record is only left out if enough others precede it, and further records never lower their number.
 *
 * With more cells than places, the largest cells may be missing; these are then chosen by their counts.
 */
export class Exemplars<T extends CellRecord> {
  readonly #cells = new Map<number, T[]>();
  readonly #limit: number;
  #size = 0;
  /** The last record that was kept at the latest cut: records that rank after it are left out at once. */
  #last: RankedRecord<T> | undefined;

  constructor(limit = MAX_KEPT) {
    this.#limit = limit;
  }

  /** Whether a record's number is enough to leave it out of its cell, as for nearly all records once the cell has three. */
  isLeftOut(cell: number, draw: number): boolean {
    const last = this.#cells.get(cell)?.[PER_CELL - 1];
    return last !== undefined && last.draw < draw;
  }

  /** Takes a record; memory holds at most twice the limit. */
  add(record: T): void {
    const kept = this.#cells.get(record.cell) ?? [];
    const before = kept.findIndex((other) => compareRecords(record, other) <= 0);
    const rank = before < 0 ? kept.length : before;
    const next = kept[rank];
    if (rank === PER_CELL || (next !== undefined && compareRecords(record, next) === 0)) return;
    if (this.#last !== undefined && compareRanked({ rank, record }, this.#last) > 0) return;
    kept.splice(rank, 0, record);
    if (kept.length > PER_CELL) kept.pop();
    else this.#size++;
    this.#cells.set(record.cell, kept);
    if (this.#size > 2 * this.#limit) this.#cut();
  }

  merge(records: Iterable<T>): void {
    for (const record of records) this.add(record);
  }

  /** The kept records by their draws. */
  list(): T[] {
    this.#cut();
    return [...this.#cells.values()].flat().sort(compareRecords);
  }

  #cut(): void {
    if (this.#size <= this.#limit) return;
    const kept = [...this.#cells.values()]
      .flatMap((records) => records.map((record, rank) => ({ rank, record })))
      .sort(compareRanked)
      .slice(0, this.#limit);
    this.#last = kept.at(-1);
    this.#cells.clear();
    for (const [cell, ranked] of Map.groupBy(kept, ({ record }) => record.cell))
      this.#cells.set(
        cell,
        ranked.map(({ record }) => record),
      );
    this.#size = kept.length;
  }
}

interface RankedRecord<T extends CellRecord> {
  readonly rank: number;
  readonly record: T;
}

function compareRanked<T extends CellRecord>(one: RankedRecord<T>, other: RankedRecord<T>): number {
  return one.rank - other.rank || compareRecords(one.record, other.record);
}

function compareRecords(one: CellRecord, other: CellRecord): number {
  return (
    one.draw - other.draw ||
    compareByteOrder(one.key, other.key) ||
    one.recordIndex - other.recordIndex ||
    one.cell - other.cell
  );
}
