import type { ScoreBins } from './score-bins.ts';

/** Cap on the bins that wait to be counted: they fit into the processor's cache next to one class's counts. */
const MAX_WAITING = 65_536;

/** Bins in a cache line of 64 bytes. */
const CLASSES_OF_A_LINE = 32;

/**
 * How often each class's score fell into each bin, at `scoreIndex * bins.length + bin`.
 *
 * The counts of a thousand classes take 2 MB, and counting one record at a time would miss the caches once per class. So the bins of some
 * records are buffered and counted a few classes at a time.
 */
export class ScoreHistograms {
  readonly bins: ScoreBins;
  readonly #classes: number;
  readonly #counts: Uint32Array;
  readonly #waiting: Uint16Array;
  #records = 0;

  constructor(bins: ScoreBins, classes: number) {
    this.bins = bins;
    this.#classes = classes;
    this.#counts = new Uint32Array(classes * bins.length);
    this.#waiting = new Uint16Array(Math.max(1, Math.floor(MAX_WAITING / classes)) * classes);
  }

  /** Adds one record's probabilities, one for each class. */
  add(scores: ArrayLike<number>): void {
    const at = this.#records * this.#classes;
    this.bins.place(scores, this.#waiting, at);
    this.#records++;
    if (at + 2 * this.#classes > this.#waiting.length) this.#count();
  }

  /** The counts of all records so far. */
  get counts(): Uint32Array {
    this.#count();
    return this.#counts;
  }

  #count(): void {
    const end = this.#records * this.#classes;
    for (let first = 0; first < this.#classes; first += CLASSES_OF_A_LINE) {
      const last = Math.min(first + CLASSES_OF_A_LINE, this.#classes);
      for (let at = 0; at < end; at += this.#classes) this.#countLine(at, first, last);
    }
    this.#records = 0;
  }

  /** Counts the bins of some classes of the record at index `at`. */
  #countLine(at: number, first: number, last: number): void {
    const counts = this.#counts;
    const waiting = this.#waiting;
    const { length } = this.bins;
    for (let score = first, offset = first * length; score < last; score++, offset += length) {
      const cell = offset + (waiting[at + score] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
}
