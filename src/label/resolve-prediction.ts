import { OutputError } from '../prediction/output-error.ts';
import type { Prediction } from '../prediction/prediction.ts';
import type { ClassList } from './class-list.ts';
import { binaryScores, softmax } from './probabilities.ts';
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
}

/** A prediction in the run's own classes. */
export interface ResolvedPrediction {
  /** Class id. */
  readonly predicted: number;
  readonly scores: ArrayLike<number> | undefined;
  /** Index of the predicted class among the scores; undefined if they have none for it. */
  readonly scoreIndex: number | undefined;
  /** True if the scores are probabilities that add up to one. */
  readonly distribution: boolean;
  /** Probability of the predicted class, where the output has it. */
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
    const predicted = labelId(label, classes, classOffset);
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
  const predicted =
    label === undefined ? classes.at(best + classOffset) : labelId(label, classes, classOffset);
  const scoreIndex = placeOf(label ?? best, predicted, classOffset, scores.length);
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
    `the output is the single number ${second}, which is not a probability: if it is a logit, set labels.scores to "logits" in pipeline.json`,
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

/** Place of a label among the scores. An index counts as the model counts, even outside the list; a name is that of a class. */
function placeOf(
  label: number | string,
  id: number,
  classOffset: number,
  length: number,
): number | undefined {
  const place = typeof label === 'number' ? label : id - classOffset;
  return place >= 0 && place < length ? place : undefined;
}

function labelId(label: number | string | undefined, classes: ClassList, classOffset: number): number {
  if (label === undefined) throw new OutputError('unreadable-output', 'the output names no class');
  if (typeof label === 'number') return classes.at(label + classOffset);
  const index = classes.has(label) ? undefined : wholeNumber(label);
  return index === undefined ? classes.add(label) : classes.at(index + classOffset);
}

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
