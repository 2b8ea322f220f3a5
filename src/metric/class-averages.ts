import { sumOf } from './exact-sum.ts';
import type { ClassQuality } from './per-class.ts';

/** Precision, recall and F1 of all classes together. */
interface ClassAverage {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Averages in two ways of scikit-learn's `classification_report`. */
export interface ClassAverages {
  /** Unweighted mean over the classes that occur in truth or prediction. */
  readonly macro: ClassAverage;
  /** Mean over the classes, weighted by support. */
  readonly weighted: ClassAverage;
  /** Mean recall of the classes that occur in the truth. */
  readonly balancedAccuracy: number;
  /** Classes that occur but were never predicted: their precision counts as 0 in the averages, as in scikit-learn. */
  readonly neverPredicted: number;
}

/** Averages of the classes' quality; undefined without records. */
export function classAverages(classes: readonly ClassQuality[]): ClassAverages | undefined {
  const seen = classes.filter((each) => each.support + each.predicted > 0);
  const supported = seen.filter((each) => each.support > 0);
  const total = sumOf(seen.map((each) => each.support));
  if (total === 0) return undefined;
  const average = (weight: (each: ClassQuality) => number): ClassAverage => ({
    precision: sumOf(seen.map((each) => weight(each) * (each.precision ?? 0))),
    recall: sumOf(seen.map((each) => weight(each) * (each.recall ?? 0))),
    f1: sumOf(seen.map((each) => weight(each) * (each.f1 ?? 0))),
  });
  return {
    macro: average(() => 1 / seen.length),
    weighted: average((each) => each.support / total),
    balancedAccuracy: sumOf(supported.map((each) => each.recall ?? 0)) / supported.length,
    neverPredicted: supported.filter((each) => each.predicted === 0).length,
  };
}
