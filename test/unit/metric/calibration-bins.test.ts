import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { createTally } from '../../../src/metric/tally.ts';

/** Bins of each tally. */
const COUNT = 15;

function tallyOf(confidences: readonly number[]) {
  const tally = createTally(new ClassList(['a', 'b']), 0);
  for (const [at, confidence] of confidences.entries()) {
    const scores = { scores: undefined, scoreIndex: undefined, distribution: false, score: confidence };
    countOutcome(tally, { key: `${at}`, recordIndex: 0, truth: at % 2, predicted: 0, confidence, ...scores });
  }
  return tally;
}

test('a bound belongs to the bin below it, however the product is rounded', () => {
  const bounds = Array.from({ length: COUNT }, (_, at) => (at + 1) / COUNT);
  expect(tallyOf(bounds).calibration.map((bin) => bin.count)).toEqual(bounds.map(() => 1));
});

test('the next double above a bound is in the bin above it, and 0 in the first', () => {
  const next = (value: number): number => {
    const bits = new BigUint64Array(Float64Array.of(value).buffer);
    bits[0]! += 1n;
    return new Float64Array(bits.buffer)[0]!;
  };
  const above = Array.from({ length: COUNT - 1 }, (_, at) => next((at + 1) / COUNT));
  expect(tallyOf([0, ...above]).calibration.map((bin) => bin.count)).toEqual([1, ...above.map(() => 1)]);
});

test('the error is the distance of confidence from accuracy over the bins, which make the curve', () => {
  const { calibration } = metricsOf(tallyOf([0.61, 0.68, 0.93, 0.98]), [1]);
  expect(calibration?.expectedError).toBeCloseTo((0.39 + 0.68 + 0.07 + 0.98) / 4, 12);
  expect(calibration?.curve.map(({ to }) => to)).toEqual([10 / 15, 11 / 15, 14 / 15, 1]);
});
