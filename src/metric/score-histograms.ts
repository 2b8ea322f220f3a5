import type { ScoreBins } from './score-bins.ts';

/** Bins that wait to be counted: as many as the processor's own cache holds beside a class's counts. */
const MOST_WAITING = 65_536;

/**
 * How often each class's score fell into each bin, at `scoreIndex * bins.length + bin`.
 *
 * Of a thousand classes the counts take 2 MB, and counting a record at a time would miss the caches once a class. So the
 * bins of some records wait, and are then counted class by class.
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
    this.#waiting = new Uint16Array(Math.max(1, Math.floor(MOST_WAITING / classes)) * classes);
  }

  /** Adds one record's probabilities, one for each class. */
  add(scores: Float64Array): void {
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
    const counts = this.#counts;
    const waiting = this.#waiting;
    const classes = this.#classes;
    const end = this.#records * classes;
    for (let score = 0, offset = 0; score < classes; score++, offset += this.bins.length) {
      for (let place = score; place < end; place += classes) {
        const cell = offset + (waiting[place] ?? 0);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
    }
    this.#records = 0;
  }
}
