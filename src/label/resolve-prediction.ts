import { OutputError } from '../prediction/output-error.ts';
import type { Prediction } from '../prediction/prediction.ts';
import type { ClassList } from './class-list.ts';

/** Rounded or half-precision probabilities add up to one only roughly. */
const SUM_TOLERANCE = 0.01;

/** A prediction in the run's own classes. */
export interface ResolvedPrediction {
  /** Class id. */
  readonly predicted: number;
  readonly scores: ArrayLike<number> | undefined;
  /** Place of the predicted class among the scores; undefined where they have none for it. */
  readonly scoreIndex: number | undefined;
  /** True where the scores are probabilities that add up to one. */
  readonly distribution: boolean;
  /** Probability of the predicted class, where the output tells it. */
  readonly confidence: number | undefined;
  /** Winner's score, a probability or not. */
  readonly score: number | undefined;
}

/**
 * Turns indexes and names of the model into class ids. `classOffset` is added to every index; the class that an
 * output names outright is believed before its scores; of equal scores the first wins.
 *
 * @throws {OutputError} `not-a-number` where a score is NaN
 */
export function resolvePrediction(
  prediction: Prediction,
  classes: ClassList,
  classOffset: number,
): ResolvedPrediction {
  const { label, scores } = prediction;
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
  const { best, distribution } = inspect(scores);
  const predicted =
    label === undefined ? classes.at(best + classOffset) : labelId(label, classes, classOffset);
  const scoreIndex = placeOf(label ?? best, predicted, classOffset, scores.length);
  const score = scoreIndex === undefined ? undefined : scores[scoreIndex];
  return { predicted, scores, scoreIndex, distribution, confidence: distribution ? score : undefined, score };
}

/** An index counts as the model does, also where it is no class of the list; a name is that of a class. */
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
  if (typeof label === 'string' && !classes.has(label) && /^-?\d{1,9}$/.test(label)) {
    return classes.at(Number(label) + classOffset);
  }
  if (typeof label === 'number') return classes.at(label + classOffset);
  if (label === undefined) throw new OutputError('unreadable-output', 'the output names no class');
  return classes.resolve(label);
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

/** A sum is NaN too where scores hold both infinities. */
function hasNaN(scores: ArrayLike<number>): boolean {
  for (let index = 0; index < scores.length; index++) if (Number.isNaN(scores[index])) return true;
  return false;
}

function isProbability(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= 1;
}
