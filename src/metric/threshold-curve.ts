import { pairsOf } from './confusion-counts.ts';
import type { Tally } from './tally.ts';

/** Cap on the points of a curve, which a page draws and a person moves along. */
const MAX_POINTS = 200;

/** Effect of calling every record with a score of at least `threshold` positive. */
interface ThresholdPoint {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
}

/** Every decision that the scores of two classes allow; the second class is the positive one. */
export interface ThresholdCurve {
  /** Labeled records of the positive class. */
  readonly positives: number;
  /** Labeled records of the other class. */
  readonly negatives: number;
  /** From the highest threshold to the lowest, which calls every record positive. */
  readonly points: readonly ThresholdPoint[];
}

/**
 * The curve of a model of two classes, from the scores themselves. Its points are the distinct scores; if there are more than 200, those
 * that divide the records evenly, and the one at which the run itself decided. Undefined for other models, for runs of more records than
 * `ExactScores` keeps, and where one of the classes has no record.
 */
export function thresholdCurve(tally: Tally): ThresholdCurve | undefined {
  const counts = tally.classes.listed === 2 ? tally.exactScores.countsOf(1, tally.distributions) : undefined;
  if (counts === undefined) return undefined;
  const all: ThresholdPoint[] = [];
  let truePositives = 0;
  let falsePositives = 0;
  for (const [at, threshold] of [...counts.scores.entries()].reverse()) {
    const own = counts.own[at] ?? 0;
    truePositives += own;
    falsePositives += (counts.all[at] ?? 0) - own;
    all.push({ threshold, truePositives, falsePositives });
  }
  if (truePositives === 0 || falsePositives === 0) return undefined;
  return { positives: truePositives, negatives: falsePositives, points: thinned(all, calledBy(tally)) };
}

/** Labeled records that the run called positive. */
function calledBy({ confusion }: Tally): number {
  return pairsOf(confusion)
    .filter(({ predicted }) => predicted === 1)
    .reduce((sum, { times }) => sum + times, 0);
}

/** The first point after each further share of the records, the first that calls `called` records positive, and the last. */
function thinned(points: readonly ThresholdPoint[], called: number): readonly ThresholdPoint[] {
  if (points.length <= MAX_POINTS) return points;
  const records = ({ truePositives, falsePositives }: ThresholdPoint): number =>
    truePositives + falsePositives;
  const last = points.at(-1);
  const decided = points.find((point) => records(point) >= called);
  const step = last === undefined ? 1 : records(last) / (MAX_POINTS - 2);
  let next = 0;
  return points.filter((point) => {
    if (point === last || point === decided) return true;
    if (records(point) < next) return false;
    next = records(point) + step;
    return true;
  });
}
