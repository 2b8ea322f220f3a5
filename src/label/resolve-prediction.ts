import { OutputError } from '../prediction/output-error.ts';
import type { Prediction } from '../prediction/prediction.ts';
import type { ClassList } from './class-list.ts';
import { wholeNumber } from './reading.ts';

/** Rounded or half-precision probabilities add up to one only roughly. */
const SUM_TOLERANCE = 0.01;

/** The plan's instructions for reading a model's scores. */
export interface ScoreReading {
  /** Added to every index. */
  readonly classOffset: number;
  /** `logits` become probabilities: by the sigmoid for a single score, by the softmax for several. */
  readonly scores: 'as-answered' | 'logits';
  /** Probability above which the second of two classes is predicted; null: the higher score decides. */
  readonly threshold: number | null;
  /** Numbers by which the model itself names its classes, in the order of its scores; left out if it has no such numbers. */
  readonly ids?: readonly number[] | undefined;
}

/** A prediction in the run's own classes. */
export interface ResolvedPrediction {
  /** Class id. */
  readonly predicted: number;
  readonly scores: ArrayLike<number> | undefined;
  /** Index of the predicted class among the scores; undefined if it has no score. */
  readonly scoreIndex: number | undefined;
  /** True if the scores are probabilities that add up to one. */
  readonly distribution: boolean;
  /** Probability of the predicted class, if the output has it. */
  readonly confidence: number | undefined;
  /** Score of the predicted class, a probability or not. */
  readonly score: number | undefined;
}

/**
 * Turns the model's indexes and names into class ids. A class that the output names outright takes precedence over its scores; of
 * equal scores the first wins, and a probability equal to the threshold is the first class's.
 *
 * @throws {OutputError} `not-a-number` if a score is NaN, `ambiguous-output` if a single number is not a probability
 */
export function resolvePrediction(
  prediction: Prediction,
  classes: ClassList,
  reading: ScoreReading,
): ResolvedPrediction {
  const { classOffset, threshold } = reading;
  const { label } = prediction;
  const scores = scoresOf(prediction, reading.scores);
  if (scores === undefined) {
    const confidence = isProbability(prediction.confidence) ? prediction.confidence : undefined;
    const { id: predicted } = namedClass(label, classes, reading);
    return {
      predicted,
      scores,
      scoreIndex: undefined,
      distribution: false,
      confidence,
      score: prediction.confidence,
    };
  }
  const { best: highest, distribution } = inspect(scores);
  const best = threshold === null ? highest : aboveThreshold(scores, threshold, distribution);
  const { id: predicted, place } =
    label === undefined
      ? { id: classes.at(best + classOffset), place: best }
      : namedClass(label, classes, reading, best);
  const scoreIndex = place >= 0 && place < scores.length ? place : undefined;
  const score = scoreIndex === undefined ? undefined : scores[scoreIndex];
  return { predicted, scores, scoreIndex, distribution, confidence: distribution ? score : undefined, score };
}

function scoresOf(
  { second, scores }: Prediction,
  meaning: ScoreReading['scores'],
): ArrayLike<number> | undefined {
  if (second === undefined) return scores !== undefined && meaning === 'logits' ? softmax(scores) : scores;
  if (Number.isNaN(second)) throw new OutputError('not-a-number', 'the output has NaN where a score belongs');
  if (meaning === 'logits') return binaryScores(second);
  if (isProbability(second)) return Float64Array.of(1 - second, second);
  throw new OutputError(
    'ambiguous-output',
    `the output is the single number ${second}, which is not a probability: if it is a logit of two classes, set labels.scores ` +
      'to "logits" in pipeline.json; if the model predicts numbers (a regression), set "labels" to null',
  );
}

/** Index of the predicted class of two, by a threshold on the probability of the second. */
function aboveThreshold(scores: ArrayLike<number>, threshold: number, distribution: boolean): number {
  const second = scores[1] ?? Number.NaN;
  if (distribution) return second > threshold ? 1 : 0;
  throw new OutputError(
    'ambiguous-output',
    `labels.threshold is ${threshold}, and the output's scores ${scores[0]} and ${second} are not probabilities that add up to 1: ` +
      'if they are logits, set labels.scores to "logits" in pipeline.json',
  );
}

/**
 * The class that an output names, and its place among the scores. A number is the model's own, the name of a class, or a place in the list:
 * which one is decided by the list for all answers. Numbers that fit a name and the place of another class are read as what the scores say.
 *
 * @param best place of the highest score, if there are scores
 */
function namedClass(
  label: number | string | undefined,
  classes: ClassList,
  { classOffset, ids }: ScoreReading,
  best?: number,
): { readonly id: number; readonly place: number } {
  if (label === undefined) throw new OutputError('unreadable-output', 'the output names no class');
  const named = (id: number): { id: number; place: number } => ({ id, place: id - classOffset });
  const number = typeof label === 'number' ? label : wholeNumber(label);
  if (number === undefined) return named(classes.add(String(label)));
  if (ids !== undefined) {
    const place = ids.indexOf(number);
    return place < 0 ? named(classes.add(`#${number}`)) : { id: classes.at(place + classOffset), place };
  }
  const byName = classes.byValue(number);
  const areRivals = classes.hasRivals(classOffset);
  if (typeof label === 'string' && (areRivals || classes.has(label)))
    return named(classes.has(label) ? classes.add(label) : (byName ?? classes.add(label)));
  const placed = { id: classes.at(number + classOffset), place: number };
  if (!areRivals) return byName === undefined ? placed : named(byName);
  const found = [placed, ...(byName === undefined ? [] : [named(byName)])].find(
    ({ place }) => place === best,
  );
  if (found !== undefined) return found;
  throw new OutputError(
    'ambiguous-output',
    `the output names the class ${number}, and labels.classes has numbers both as names and as other places: ${RENAME}`,
  );
}

/** How an answer that is a number gets one meaning. */
export const RENAME =
  'give the classes names that are no numbers, in the order of the model, with labels.numbers for labels that are ' +
  'numbers, and labels.classOffset -1 if the model counts from 1';

function inspect(scores: ArrayLike<number>): { best: number; distribution: boolean } {
  let best = 0;
  let highest = -Infinity;
  let lowest = Infinity;
  let sum = 0;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? Number.NaN;
    if (score > highest) {
      highest = score;
      best = index;
    }
    if (score < lowest) lowest = score;
    sum += score;
  }
  if (Number.isNaN(sum) && hasNaN(scores))
    throw new OutputError('not-a-number', 'the output has NaN among its scores');
  return { best, distribution: lowest >= 0 && highest <= 1 && Math.abs(sum - 1) <= SUM_TOLERANCE };
}

/** Whether a score is NaN. Their sum would not show it: it is also NaN if the scores include both infinities. */
function hasNaN(scores: ArrayLike<number>): boolean {
  for (let index = 0; index < scores.length; index++) if (Number.isNaN(scores[index])) return true;
  return false;
}

function isProbability(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= 1;
}

/** Probabilities from logits (softmax). The highest logit is subtracted first, so that no exponential overflows. */
function softmax(logits: ArrayLike<number>): Float64Array {
  let highest = -Infinity;
  for (let index = 0; index < logits.length; index++) highest = Math.max(highest, logits[index] ?? 0);
  const powers = Float64Array.from(logits, (logit) => (logit === highest ? 1 : Math.exp(logit - highest)));
  let sum = 0;
  for (const power of powers) sum += power;
  return powers.map((power) => power / sum);
}

/** Probabilities of both classes from the logit of the second, each to full precision near zero. */
function binaryScores(logit: number): Float64Array {
  return Float64Array.of(sigmoid(-logit), sigmoid(logit));
}

function sigmoid(logit: number): number {
  if (logit >= 0) return 1 / (1 + Math.exp(-logit));
  const power = Math.exp(logit);
  return power / (1 + power);
}
