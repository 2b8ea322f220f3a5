import type { Exemplar } from '../metric/exemplar.ts';
import { nameDraw } from '../text/name-draw.ts';
import { type CellRecord, Exemplars } from './exemplars.ts';

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
