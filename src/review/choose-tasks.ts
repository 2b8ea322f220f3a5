import type { FilePlace } from '../input/file-place.ts';
import { drawOf } from '../judging/draw.ts';
import { compareByteOrder } from '../text/byte-order.ts';

/** A predicted record, as far as choosing asks. */
export interface Candidate extends FilePlace {
  readonly score: number | null;
  readonly wrong: boolean;
  readonly right: boolean;
  readonly suspect: boolean;
}

/** Which records of a run a review is of. */
export interface Choice {
  readonly wrong: boolean;
  readonly suspect: boolean;
  /** The records that the model is least sure of: how many. */
  readonly unsure: number | undefined;
  /** How many are drawn at random among the others of the choice, or among all records where it has no others. */
  readonly random: number | undefined;
  /** Whether as many right answers are drawn among them, so that a task doesn't tell that the model was wrong. */
  readonly controls: boolean;
}

/** Cap on the right answers among the tasks. */
const MAX_CONTROLS = 400;

/**
 * Chooses records of a run: wrong ones, suspect ones and unsure ones together, or with `random` a draw from them. The same seed
 * gives the same draw, and the records come in the order of the draw, so that any first part of them is a random sample.
 */
export class TaskChooser<C extends Candidate> {
  readonly #choice: Choice;
  readonly #draw: (record: C) => number;
  readonly #isOpen: boolean;
  #chosen: C[] = [];
  #unsure: C[] = [];
  #controls: C[] = [];
  readonly #seconds: C[] = [];

  /** @param seed drawn when the drop was frozen: whoever names its files must not know who will look at which */
  constructor(seed: string, choice: Choice) {
    this.#choice = choice;
    this.#draw = drawnBy(seed);
    this.#isOpen = !choice.wrong && !choice.suspect && choice.unsure === undefined;
  }

  add(record: C): void {
    const { wrong, suspect, unsure, random, controls } = this.#choice;
    if (controls && !this.#isOpen && record.right) {
      this.#controls.push(record);
      if (this.#controls.length > 4 * MAX_CONTROLS) this.#controls = this.#firstControls();
    }
    if (this.#isOpen || (wrong && record.wrong) || (suspect && record.suspect)) {
      this.#chosen.push(record);
      // A run may have millions of records: memory holds twice those that are drawn.
      if (random !== undefined && this.#chosen.length > 2 * random + 1_000)
        this.#chosen = this.#inOrder(this.#chosen).slice(0, random);
    } else if (unsure !== undefined && record.score !== null) {
      this.#unsure.push(record);
      if (this.#unsure.length > 2 * unsure + 1_000) this.#unsure = leastSure(this.#unsure, unsure);
    }
  }

  /** Adds a record that a first person would change. */
  addSecond(record: C): void {
    this.#seconds.push(record);
  }

  chosen(): readonly C[] {
    const { unsure = 0, random = Number.POSITIVE_INFINITY } = this.#choice;
    const drawn = this.#inOrder([...this.#chosen, ...leastSure(this.#unsure, unsure)]).slice(0, random);
    const chosen = new Set([...drawn, ...this.#seconds]);
    const controls = this.#firstControls().filter((record) => !chosen.has(record));
    return this.#inOrder([...chosen, ...controls.slice(0, Math.min(MAX_CONTROLS, chosen.size))]);
  }

  /** Whether the record was drawn by lot from all mistakes or from all right answers, so that those drawn stand for all of them. */
  isDrawn(record: C): boolean {
    const { wrong, unsure } = this.#choice;
    if (this.#seconds.includes(record)) return false;
    return this.#isOpen || (record.wrong ? wrong : record.right && unsure === undefined);
  }

  #firstControls(): C[] {
    return this.#inOrder(this.#controls).slice(0, 2 * MAX_CONTROLS);
  }

  #inOrder(records: readonly C[]): C[] {
    return records.toSorted((a, b) => this.#draw(a) - this.#draw(b) || compareByteOrder(a.key, b.key));
  }
}

/** Draws the place of a record in the lottery of a run, 0 … 1. */
function drawnBy(seed: string): (record: Pick<Candidate, 'key' | 'recordIndex'>) => number {
  const draw = drawOf(seed);
  return ({ key, recordIndex }) => draw(`${key}\n${recordIndex}`);
}

function leastSure<C extends Candidate>(records: readonly C[], count: number): C[] {
  return records
    .toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0) || compareByteOrder(a.key, b.key))
    .slice(0, count);
}
