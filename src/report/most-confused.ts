import type { Report } from './report.ts';

/** Records of one class that were predicted as another. */
export interface ConfusedPair {
  /** Places of the classes. */
  readonly places: readonly [truth: number, predicted: number];
  readonly truth: string;
  readonly predicted: string;
  readonly count: number;
  /** Share of the true class's records. */
  readonly share: number;
}

/** The most frequent confusions; equal ones in the order of their classes. */
export function mostConfused(
  { classes, confusion }: Pick<Report, 'classes' | 'confusion'>,
  limit: number,
): ConfusedPair[] {
  return confusion
    .filter(([truth, predicted]) => truth !== predicted)
    .sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1])
    .slice(0, limit)
    .map(([truth, predicted, count]) => ({
      places: [truth, predicted],
      truth: classes[truth]?.name ?? '',
      predicted: classes[predicted]?.name ?? '',
      count,
      share: count / (classes[truth]?.support ?? count),
    }));
}
