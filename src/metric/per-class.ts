import { pairsOf } from './confusion-counts.ts';
import type { SparseCounts } from './sparse-counts.ts';
import { drawnInterval, type Interval } from './wilson-interval.ts';

/** One class against all others. A figure with a zero denominator is undefined, never 0. */
export interface ClassQuality {
  readonly id: number;
  /** Records with this class as their truth. */
  readonly support: number;
  /** Records predicted as this class. */
  readonly predicted: number;
  readonly correct: number;
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly recallInterval: Interval | undefined;
  readonly f1: number | undefined;
}

/** Quality of each class, by id, absent ones included. */
export function perClass(confusion: SparseCounts, classes: number, fraction = 0): ClassQuality[] {
  const support = new Float64Array(classes);
  const predicted = new Float64Array(classes);
  const correct = new Float64Array(classes);
  for (const pair of pairsOf(confusion)) {
    support[pair.truth] = (support[pair.truth] ?? 0) + pair.times;
    predicted[pair.predicted] = (predicted[pair.predicted] ?? 0) + pair.times;
    if (pair.truth === pair.predicted) correct[pair.truth] = (correct[pair.truth] ?? 0) + pair.times;
  }
  return Array.from({ length: classes }, (_, id) =>
    quality(
      id,
      { support: support[id] ?? 0, predicted: predicted[id] ?? 0, correct: correct[id] ?? 0 },
      fraction,
    ),
  );
}

function quality(
  id: number,
  { support, predicted, correct }: Pick<ClassQuality, 'support' | 'predicted' | 'correct'>,
  fraction: number,
): ClassQuality {
  return {
    id,
    support,
    predicted,
    correct,
    precision: ratio(correct, predicted),
    recall: ratio(correct, support),
    recallInterval: drawnInterval(correct, support, fraction),
    f1: ratio(2 * correct, support + predicted),
  };
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
