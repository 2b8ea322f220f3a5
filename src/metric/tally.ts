import type { ClassList } from '../label/class-list.ts';
import { ExactScores } from './exact-scores.ts';
import { type ExactSum, exactSum } from './exact-sum.ts';
import type { Exemplar } from './exemplar.ts';
import { ScoreBins } from './score-bins.ts';
import { ScoreHistograms } from './score-histograms.ts';
import type { SparseCounts } from './sparse-counts.ts';

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
