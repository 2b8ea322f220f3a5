import { sumOf } from './exact-sum.ts';
import type { ClassQuality } from './per-class.ts';

/** Agreement of prediction and truth beyond chance. */
export interface Agreement {
  /** Multi-class Matthews correlation coefficient (Gorodkin 2004); 0 where one side has a single class. */
  readonly matthews: number;
  /** Cohen's kappa; undefined if agreement by chance is 1. */
  readonly kappa: number | undefined;
}

/** Agreement of all records; undefined without records. */
export function agreement(classes: readonly ClassQuality[]): Agreement | undefined {
  const n = sumOf(classes.map((each) => each.support));
  if (n === 0) return undefined;
  const correct = sumOf(classes.map((each) => each.correct));
  // Shares, not counts: products of counts exceed 2^53 at ten million records.
  const chance = sumOf(classes.map((each) => (each.support / n) * (each.predicted / n)));
  const truthSpread = 1 - sumOf(classes.map((each) => (each.support / n) ** 2));
  const predictedSpread = 1 - sumOf(classes.map((each) => (each.predicted / n) ** 2));
  const observed = correct / n;
  const oneSided =
    isSingle(classes.map((each) => each.support)) || isSingle(classes.map((each) => each.predicted));
  return {
    matthews: oneSided ? 0 : (observed - chance) / Math.sqrt(truthSpread * predictedSpread),
    kappa: chance === 1 ? undefined : (observed - chance) / (1 - chance),
  };
}

function isSingle(counts: readonly number[]): boolean {
  return counts.filter((count) => count > 0).length === 1;
}
