import { sumOf } from './exact-sum.ts';
import type { CalibrationBin } from './tally.ts';
import type { Interval } from './wilson-interval.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** One point of the reliability curve; bins without records have none. */
interface ReliabilityPoint {
  /** Bounds of confidence; the lower one does not belong to the bin. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly confidence: number;
  readonly accuracy: number;
  readonly interval: Interval;
}

/** How far confidence and accuracy are apart. */
export interface Calibration {
  /** Expected calibration error over equal-width bins (Guo et al. 2017), 0 … 1. */
  readonly expectedError: number;
  /** Largest gap of any bin. */
  readonly maximumError: number;
  readonly curve: readonly ReliabilityPoint[];
}

/** Undefined where no record has a confidence. */
export function calibration(bins: readonly CalibrationBin[]): Calibration | undefined {
  const total = sumOf(bins.map((bin) => bin.count));
  if (total === 0) return undefined;
  const curve = bins.flatMap((bin, place): ReliabilityPoint[] => {
    const interval = wilsonInterval(bin.correct, bin.count);
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
    maximumError: Math.max(...gaps),
    curve,
  };
}
