import type { Exemplar } from '../metric/exemplar.ts';
import { type CellRecord, Exemplars } from './exemplars.ts';

/**
 * Number of a record in the same lottery in every run, so that a rerun shows the same records where its answers are the same: two FNV-1a sums
 * of 32 bits (Fowler, Noll, Vo), mixed as in MurmurHash3. Nothing is decided by it, and each record of a run is drawn: SHA-256 would take ten
 * times as long.
 */
function draw(key: string, recordIndex: number): number {
  let [one, other] = [0x811c9dc5 ^ recordIndex, 0x9747b28c ^ recordIndex];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x5bd1e995);
  }
  return (mixed(one) * 2 ** 20 + (mixed(other) >>> 12)) / 2 ** 52;
}

function mixed(sum: number): number {
  const first = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/**
 * Records that stand for the cells (truth, prediction) of a run or a shard: up to three of each, see `Exemplars`. A cell is known by
 * the names of its classes.
 */
export class CellExemplars {
  readonly #wrong: Exemplars<Exemplar & CellRecord>;
  readonly #right: Exemplars<Exemplar & CellRecord>;
  /** Places of cells by truth and prediction. */
  readonly #cells = new Map<string, Map<string, number>>();
  #known = 0;

  /** @param limit most records of all confusions; right answers, which would crowd them out where classes are many, have a third beside it */
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
    return !kept.isLeftOut(this.#cellOf(truth, predicted), draw(key, recordIndex));
  }

  add(exemplar: Exemplar): void {
    const { key, recordIndex, truth, predicted } = exemplar;
    const kept = truth === predicted ? this.#right : this.#wrong;
    kept.add({ ...exemplar, cell: this.#cellOf(truth, predicted), draw: draw(key, recordIndex) });
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
