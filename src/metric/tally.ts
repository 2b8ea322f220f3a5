import type { ClassList } from '../label/class-list.ts';
import { ExactScores } from './exact-scores.ts';
import { type ExactSum, exactSum } from './exact-sum.ts';
import type { Exemplar } from './exemplar.ts';
import { ScoreBins } from './score-bins.ts';
import type { SparseCounts } from './sparse-counts.ts';

/** Cap on the bins that wait to be counted: they fit into the processor's cache next to one class's counts. */
const MAX_WAITING = 65_536;

/** Bins in a cache line of 64 bytes. */
const CLASSES_OF_A_LINE = 32;

/** Equal-width bins of confidence for calibration, as Guo et al. (2017) use: the expected calibration error depends on the number. */
const CALIBRATION_BINS = 15;
/** Bins of the confidence histograms. */
export const CONFIDENCE_BINS = 40;

/** One bin of the reliability curve. */
export interface CalibrationBin {
  count: number;
  correct: number;
  confidence: ExactSum;
}

/** Everything that metrics need, as sums that merge in any order. */
export interface Tally {
  readonly classes: ClassList;
  readonly classOffset: number;
  /** Inputs, usable or not. */
  inputs: number;
  /** Records with a usable prediction. */
  predicted: number;
  /** Records with a prediction and a known truth: the base of all quality metrics. */
  labeled: number;
  correct: number;
  readonly confusion: SparseCounts;
  /** Predictions without a truth, by class id. */
  readonly unlabeled: SparseCounts;
  /** Labeled records with a score for each class, and the rank of the true class among them, from 0. */
  ranked: number;
  readonly ranks: SparseCounts;
  /** Labeled records with a probability for each class, the true one included. */
  distributions: number;
  readonly logLoss: ExactSum;
  readonly brier: ExactSum;
  /** Labeled records with a probability of the predicted class: sums by calibration bin. */
  readonly calibration: readonly CalibrationBin[];
  readonly rightConfidence: ExactSum;
  readonly wrongConfidence: ExactSum;
  readonly rightHistogram: number[];
  readonly wrongHistogram: number[];
  /** Scores of all distributions. */
  readonly allScores: ScoreHistograms;
  /** The scores themselves, if there are not too many. */
  readonly exactScores: ExactScores;
  /** Histograms of only the true class's score. */
  readonly trueScores: SparseCounts;
  /** Inputs, or records, without a usable prediction, by reason. */
  readonly errors: Map<string, number>;
  /** Most confident mistakes, most confident first. */
  mistakes: Exemplar[];
}

/** An empty tally. @param expected records of the run, as far as known */
export function createTally(classes: ClassList, classOffset: number, expected = 0): Tally {
  return {
    classes,
    classOffset,
    inputs: 0,
    predicted: 0,
    labeled: 0,
    correct: 0,
    confusion: new Map(),
    unlabeled: new Map(),
    ranked: 0,
    ranks: new Map(),
    distributions: 0,
    logLoss: exactSum(),
    brier: exactSum(),
    calibration: Array.from({ length: CALIBRATION_BINS }, () => ({
      count: 0,
      correct: 0,
      confidence: exactSum(),
    })),
    rightConfidence: exactSum(),
    wrongConfidence: exactSum(),
    rightHistogram: Array.from({ length: CONFIDENCE_BINS }, () => 0),
    wrongHistogram: Array.from({ length: CONFIDENCE_BINS }, () => 0),
    allScores: new ScoreHistograms(new ScoreBins(classes.listed), classes.listed - classOffset),
    exactScores: new ExactScores(classes.listed - classOffset, expected),
    trueScores: new Map(),
    errors: new Map(),
    mistakes: [],
  };
}

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
