import { sumOf } from './exact-sum.ts';
import type { CalibrationBin } from './tally.ts';
import { drawnInterval, type Interval } from './wilson-interval.ts';

/** One point of the reliability curve; bins without records have no point. */
interface ReliabilityPoint {
  /** Bounds of confidence: above `from`, up to and including `to`. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly confidence: number;
  readonly accuracy: number;
  readonly interval: Interval;
}

/** Distance of confidence from accuracy, over equal-width bins. */
export interface Calibration {
  /** Expected calibration error (Guo et al. 2017), 0 … 1. */
  readonly expectedError: number;
  readonly curve: readonly ReliabilityPoint[];
}

/** Calibration over the bins; undefined if no record has a confidence. */
export function calibration(bins: readonly CalibrationBin[], fraction = 0): Calibration | undefined {
  const total = sumOf(bins.map((bin) => bin.count));
  if (total === 0) return undefined;
  const curve = bins.flatMap((bin, place): ReliabilityPoint[] => {
    const interval = drawnInterval(bin.correct, bin.count, fraction);
    if (interval === undefined) return [];
    return [
      {
        from: place / bins.length,
        to: (place + 1) / bins.length,
        count: bin.count,
        confidence: bin.confidence.high / bin.count,
        accuracy: bin.correct / bin.count,
        interval,
      },
    ];
  });
  const gaps = curve.map((point) => Math.abs(point.accuracy - point.confidence));
  return {
    expectedError: sumOf(curve.map((point, place) => (point.count / total) * (gaps[place] ?? 0))),
    curve,
  };
}
