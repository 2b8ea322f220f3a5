import type { FilePlace } from '../input/file-place.ts';
import type { Member } from '../input/input.ts';
import { countPair } from './confusion-counts.ts';
import { addTo } from './exact-sum.ts';
import { compareExemplars, type Exemplar, MAX_EXEMPLARS } from './exemplar.ts';
import { count } from './sparse-counts.ts';
import { type CalibrationBin, CONFIDENCE_BINS, type Tally } from './tally.ts';

/** One record with the model's answer. */
interface Outcome extends FilePlace {
  /** Where its bytes lie; undefined if the input is an object. */
  readonly member?: Member | undefined;
  /** Class id; undefined if the truth is unknown. */
  readonly truth: number | undefined;
  /** Class id. */
  readonly predicted: number;
  /** Scores by score index, which is class id less `classOffset`. */
  readonly scores: ArrayLike<number> | undefined;
  /** Index of the predicted class among the scores; undefined if it has no score. */
  readonly scoreIndex: number | undefined;
  /** True if the scores are probabilities that add up to one. */
  readonly distribution: boolean;
  /** Probability of the predicted class, if known. */
  readonly confidence: number | undefined;
}

/** Reasons of inputs that changed or vanished during the run, which the model didn't have to answer. */
export const NOT_ASKED: ReadonlySet<string> = new Set(['superseded', 'deleted']);

/** Adds one record with a usable prediction. */
export function countOutcome(tally: Tally, outcome: Outcome): void {
  const { truth, predicted } = outcome;
  tally.predicted++;
  if (truth === undefined) {
    count(tally.unlabeled, predicted);
    return;
  }
  tally.labeled++;
  countPair(tally.confusion, truth, predicted);
  const correct = truth === predicted;
  if (correct) tally.correct++;
  else keepMistake(tally, outcome, truth);
  if (outcome.confidence !== undefined) countConfidence(tally, outcome.confidence, correct);
  if (outcome.scores !== undefined) countScores(tally, outcome, truth, outcome.scores);
}

/** Adds inputs, or records, that have no usable prediction. */
export function countError(tally: Tally, reason: string, times = 1): void {
  tally.errors.set(reason, (tally.errors.get(reason) ?? 0) + times);
}

function countConfidence(tally: Tally, confidence: number, correct: boolean): void {
  const bin = binOf(tally.calibration, confidence);
  bin.count++;
  if (correct) bin.correct++;
  addTo(bin.confidence, confidence);
  addTo(correct ? tally.rightConfidence : tally.wrongConfidence, confidence);
  const histogram = correct ? tally.rightHistogram : tally.wrongHistogram;
  const place = Math.min(CONFIDENCE_BINS - 1, Math.floor(confidence * CONFIDENCE_BINS));
  histogram[place] = (histogram[place] ?? 0) + 1;
}

/**
 * Bins are open below and closed above, as in Guo et al.; 0 itself belongs to the first. The bounds are the doubles nearest to k
 * / n.
 */
function binOf(bins: readonly CalibrationBin[], confidence: number): CalibrationBin {
  const count = bins.length;
  let place = Math.max(0, Math.ceil(confidence * count) - 1);
  // The product may have been rounded up across a bound.
  if (confidence <= place / count && place > 0) place -= 1;
  else if (confidence > (place + 1) / count) place += 1;
  const bin = bins[place];
  if (bin === undefined) throw new RangeError(`Cannot count confidence: it must be 0..1, is ${confidence}`);
  return bin;
}

function countScores(tally: Tally, outcome: Outcome, truth: number, scores: ArrayLike<number>): void {
  const truthIndex = truth < tally.classes.listed ? truth - tally.classOffset : -1;
  const truthScore = scores[truthIndex];
  tally.ranked++;
  count(tally.ranks, rankOf(outcome, truth, truthIndex, scores));
  if (!outcome.distribution || truthScore === undefined) return;
  tally.distributions++;
  // scikit-learn's log_loss clips here too, so that a truth of probability 0 does not make the mean infinite.
  addTo(tally.logLoss, -Math.log(Math.min(1 - Number.EPSILON, Math.max(Number.EPSILON, truthScore))));
  addTo(tally.brier, squaredDistance(scores, truthIndex));
  tally.allScores.add(scores);
  tally.exactScores.add(scores, truthIndex);
  const { bins } = tally.allScores;
  count(tally.trueScores, truthIndex * bins.length + bins.indexOf(truthScore));
}

/** Squared distance from the one-hot vector of the truth. */
function squaredDistance(scores: ArrayLike<number>, truthIndex: number): number {
  const missing = 1 - (scores[truthIndex] ?? 0);
  let squares = missing * missing;
  for (let index = 0; index < scores.length; index++) {
    const score = index === truthIndex ? 0 : (scores[index] ?? 0);
    squares += score * score;
  }
  return squares;
}

/** Rank of the true class, from 0: the predicted class comes first, the others by score, equal ones by index. */
function rankOf(outcome: Outcome, truth: number, truthIndex: number, scores: ArrayLike<number>): number {
  if (truth === outcome.predicted) return 0;
  const truthScore = scores[truthIndex];
  if (truthScore === undefined) return scores.length;
  let before = 1;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0;
    if (index !== outcome.scoreIndex && (score > truthScore || (score === truthScore && index < truthIndex)))
      before++;
  }
  return before;
}

function keepMistake(tally: Tally, outcome: Outcome, truth: number): void {
  const { mistakes, classes } = tally;
  const last = mistakes.at(-1);
  const { key, recordIndex, line, id, confidence = null } = outcome;
  const isFull = mistakes.length >= MAX_EXEMPLARS && last !== undefined;
  if (isFull && compareExemplars({ key, recordIndex, confidence }, last) >= 0) return;
  const truthIndex = truth < classes.listed ? truth - tally.classOffset : -1;
  const mistake: Exemplar = {
    key,
    recordIndex,
    line,
    id,
    ...(outcome.member && { member: outcome.member }),
    truth: classes.names[truth] ?? '',
    predicted: classes.names[outcome.predicted] ?? '',
    confidence,
    truthScore: outcome.distribution ? (outcome.scores?.[truthIndex] ?? null) : null,
  };
  const after = mistakes.findIndex((other) => compareExemplars(mistake, other) < 0);
  mistakes.splice(after < 0 ? mistakes.length : after, 0, mistake);
  if (mistakes.length > MAX_EXEMPLARS) mistakes.pop();
}
