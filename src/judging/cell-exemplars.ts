import type { Exemplar } from '../metric/exemplar.ts';
import { drawOf } from './draw.ts';
import { type CellRecord, Exemplars } from './exemplars.ts';

/** The same lottery in every run, so that a rerun shows the same records where its answers are the same. */
const draw = drawOf('exemplars');

/**
 * Records that stand for the cells (truth, prediction) of a run or a shard: up to three of each, see `Exemplars`. A cell is known by
 * the names of its classes.
 */
export class CellExemplars {
  readonly #wrong: Exemplars<Exemplar & CellRecord>;
  readonly #right: Exemplars<Exemplar & CellRecord>;
  readonly #cells = new Map<string, number>();

  /** @param limit most records of all confusions; right answers, which would crowd them out where classes are many, have a third beside it */
  constructor(limit: number) {
    this.#wrong = new Exemplars(limit);
    this.#right = new Exemplars(Math.ceil(limit / 3));
  }

  add(exemplar: Exemplar): void {
    const { key, recordIndex, truth, predicted } = exemplar;
    const name = JSON.stringify([truth, predicted]);
    const cell = this.#cells.get(name) ?? this.#cells.size;
    this.#cells.set(name, cell);
    const kept = truth === predicted ? this.#right : this.#wrong;
    kept.add({ ...exemplar, cell, draw: draw(`${key}\n${recordIndex}`) });
  }

  /** The kept records: mistakes, then right answers, each by their draws. */
  list(): Exemplar[] {
    return [...this.#wrong.list(), ...this.#right.list()].map(
      ({ cell: _cell, draw: _draw, ...exemplar }) => exemplar,
    );
  }
}
