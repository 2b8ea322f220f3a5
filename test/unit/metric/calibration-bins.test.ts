import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { createTally } from '../../../src/metric/tally.ts';

function tallyOf(confidences: readonly number[], bins?: readonly number[]) {
  const tally = createTally(new ClassList(['a', 'b']), 0, bins);
  for (const [at, confidence] of confidences.entries()) {
    const scores = { scores: undefined, scoreIndex: undefined, distribution: false, score: confidence };
    countOutcome(tally, { key: `${at}`, recordIndex: 0, truth: at % 2, predicted: 0, confidence, ...scores });
  }
  return tally;
}

test('a bound belongs to the bin below it, however the product is rounded', () => {
  for (const count of [2, 3, 10, 15, 49, 100]) {
    const bounds = Array.from({ length: count }, (_, at) => (at + 1) / count);
    const [bins = []] = tallyOf(bounds, [count]).calibration;
    expect(bins.map((bin) => bin.count)).toEqual(bounds.map(() => 1));
  }
});

test('what lies just above a bound is in the bin above it, and 0 in the first', () => {
  const [bins = []] = tallyOf([0, 0.3 + 2 ** -53, 0.6 + 2 ** -52, 1], [10]).calibration;
  expect(bins.flatMap(({ count }, place) => (count > 0 ? [place] : []))).toEqual([0, 3, 6, 9]);
});

test('the next double above a bound is in the bin above it, however the product is rounded', () => {
  const next = (value: number): number => {
    const bits = new BigUint64Array(Float64Array.of(value).buffer);
    bits[0]! += 1n;
    return new Float64Array(bits.buffer)[0]!;
  };
  for (const count of [3, 7, 15, 20]) {
    const above = Array.from({ length: count - 1 }, (_, at) => next((at + 1) / count));
    const [bins = []] = tallyOf(above, [count]).calibration;
    expect(bins.map((bin) => bin.count)).toEqual([0, ...above.map(() => 1)]);
  }
});

test('each number of bins has an error of its own; the most bins make the curve', () => {
  const { calibration } = metricsOf(tallyOf([0.61, 0.68, 0.93, 0.98], [20, 2, 10]), [1]);
  expect(calibration?.errors.map(({ bins }) => bins)).toEqual([20, 2, 10]);
  expect(calibration?.errors.map(({ expectedError }) => expectedError.toFixed(4))).toEqual([
    '0.5300',
    '0.3000',
    '0.3000',
  ]);
  expect(calibration).toMatchObject({ bins: 20, expectedError: calibration?.errors[0]?.expectedError });
  expect(calibration?.curve.map(({ to }) => to)).toEqual([0.65, 0.7, 0.95, 1]);
});

test('10 and 15 bins where nothing is said', () => {
  expect(metricsOf(tallyOf([0.5]), [1]).calibration?.errors.map(({ bins }) => bins)).toEqual([10, 15]);
});
