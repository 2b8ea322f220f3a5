import type { Exemplar } from '../metric/exemplar.ts';
import { compareByteOrder } from '../text/byte-order.ts';
import { nameDraw } from '../text/name-draw.ts';

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

interface RankedRecord<T extends CellRecord> {
  readonly rank: number;
  readonly record: T;
}

/**
 * Records that stand for the cells (truth, prediction) of a run or a shard: up to three of each, see `Exemplars`. A cell is known by
 * the names of its classes. A record has the same number in the lottery of every run, so that a rerun shows the same records where its
 * answers are the same.
 */
export class CellExemplars {
  readonly #wrong: Exemplars<Exemplar & CellRecord>;
  readonly #right: Exemplars<Exemplar & CellRecord>;
  /** Places of cells by truth and prediction. */
  readonly #cells = new Map<string, Map<string, number>>();
  #known = 0;

  /**
   * @param limit most records of all confusions; right answers, which would crowd them out where classes are many, have a
   * third next to it
   */
  constructor(limit: number) {
    this.#wrong = new Exemplars(limit);
    this.#right = new Exemplars(Math.ceil(limit / 3));
  }

  /** Whether a record may be kept, as few are once their cell has three. */
  wants({
    key,
    recordIndex,
    truth,
    predicted,
  }: Pick<Exemplar, 'key' | 'recordIndex' | 'truth' | 'predicted'>): boolean {
    const kept = truth === predicted ? this.#right : this.#wrong;
    return !kept.isLeftOut(this.#cellOf(truth, predicted), nameDraw(key, recordIndex));
  }

  add(exemplar: Exemplar): void {
    const { key, recordIndex, truth, predicted } = exemplar;
    const kept = truth === predicted ? this.#right : this.#wrong;
    kept.add({ ...exemplar, cell: this.#cellOf(truth, predicted), draw: nameDraw(key, recordIndex) });
  }

  #cellOf(truth: string, predicted: string): number {
    const row = this.#cells.get(truth) ?? new Map<string, number>();
    const known = row.get(predicted);
    if (known !== undefined) return known;
    this.#cells.set(truth, row);
    row.set(predicted, this.#known);
    return this.#known++;
  }

  /** The kept records: mistakes, then right answers, each by their draws. */
  list(): Exemplar[] {
    return [...this.#wrong.list(), ...this.#right.list()].map(
      ({ cell: _cell, draw: _draw, ...exemplar }) => exemplar,
    );
  }
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
