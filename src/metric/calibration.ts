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

/** Distance of confidence from accuracy, over one number of equal-width bins. */
interface CalibrationError {
  readonly bins: number;
  /** Expected calibration error (Guo et al. 2017), 0 … 1. */
  readonly expectedError: number;
}

/** Distance of confidence from accuracy: over the largest number of bins, and over each number of them. */
export interface Calibration extends CalibrationError {
  readonly errors: readonly CalibrationError[];
  readonly curve: readonly ReliabilityPoint[];
}

/** Calibration over each binning; undefined if no record has a confidence. */
export function calibration(
  binnings: readonly (readonly CalibrationBin[])[],
  fraction = 0,
): Calibration | undefined {
  const judged = binnings.map((bins) => overBins(bins, fraction)).filter((each) => each !== undefined);
  const [finest] = judged.toSorted((a, b) => b.bins - a.bins);
  const errors = judged.map(({ curve: _curve, ...error }) => error);
  return finest && { ...finest, errors };
}

function overBins(
  bins: readonly CalibrationBin[],
  fraction: number,
): (CalibrationError & Pick<Calibration, 'curve'>) | undefined {
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
    bins: bins.length,
    expectedError: sumOf(curve.map((point, place) => (point.count / total) * (gaps[place] ?? 0))),
    curve,
  };
}
