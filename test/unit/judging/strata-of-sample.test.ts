import { describe, expect, test } from 'vitest';
import { sampledLowerBound, sampledShare } from '../../../src/judging/sampled-share.ts';
import { strataOfSample } from '../../../src/judging/strata-of-sample.ts';
import { drawnInterval, wilsonInterval } from '../../../src/metric/wilson-interval.ts';

const figures = { precision: undefined, recall: undefined, recallInterval: undefined, f1: undefined };
const classes = [
  { id: 0, support: 14, predicted: 14, correct: 13, ...figures },
  { id: 1, support: 4, predicted: 4, correct: 2, ...figures },
  { id: 2, support: 0, predicted: 0, correct: 0, ...figures },
];
const judged = { labelled: 18, correct: 15, classes };
const idOf = (label: string) => ({ circle: 0, square: 1, '0': 0 })[label];

describe('the strata of a sample', () => {
  test('are one where it was not drawn by class, of the answered share of the drop', () => {
    const sample = { inputs: 20, of: 100, classes: [] };
    expect(strataOfSample(sample, judged, idOf)).toEqual([{ total: 90, drawn: 18, right: 15 }]);
  });

  test('are its classes, each without the share that has no answer; two names of a class are one', () => {
    const sample = {
      ...{ inputs: 20, of: 100 },
      classes: [
        { label: 'circle', inputs: 10, of: 50 },
        { label: '0', inputs: 4, of: 20 },
        { label: 'square', inputs: 5, of: 30 },
        { label: 'no class', inputs: 1, of: 1 },
      ],
    };
    expect(strataOfSample(sample, judged, idOf)).toEqual([
      { total: 70, drawn: 14, right: 13 },
      { total: 24, drawn: 4, right: 2 },
    ]);
  });

  test('are one where a record has another class than it was drawn by, as after labels were corrected', () => {
    const sample = { inputs: 20, of: 100, classes: [{ label: 'circle', inputs: 20, of: 100 }] };
    expect(strataOfSample(sample, judged, idOf)).toEqual([{ total: 90, drawn: 18, right: 15 }]);
    const fewer = {
      ...sample,
      classes: [
        { label: 'circle', inputs: 20, of: 100 },
        { label: 'square', inputs: 3, of: 30 },
      ],
    };
    expect(strataOfSample(fewer, judged, idOf)).toHaveLength(1);
  });
});

test('a lower bound lies between what the draws alone prove and the share, and is the share where all is drawn', () => {
  const strata = [{ total: 400, drawn: 200, right: 160 }];
  const low = sampledLowerBound(strata, 0.95)!;
  // One-sided 95 % of 399 trials: 0.8 − about 1.645 × 0.02.
  expect(low).toBeCloseTo(0.7648, 3);
  expect(low).toBeGreaterThan(sampledShare(strata)!.interval.low);
  expect(sampledLowerBound([{ total: 400, drawn: 400, right: 160 }], 0.95)).toBe(0.4);
  expect(sampledLowerBound([{ total: 10, drawn: 9, right: 9 }], 0.95)).toBeGreaterThanOrEqual(0.9);
  expect(sampledLowerBound([], 0.95)).toBeUndefined();
});

test('an interval narrows with the share of the whole that was drawn', () => {
  expect(drawnInterval(160, 200, 0)).toEqual(wilsonInterval(160, 200));
  expect(drawnInterval(160, 200, 1)).toEqual({ low: 0.8, high: 0.8 });
  expect(drawnInterval(0, 0, 0.5)).toBeUndefined();
  // Half drawn: (200 − 0.5) / 0.5 = 399 trials.
  const half = drawnInterval(160, 200, 0.5)!;
  const wilson = wilsonInterval(0.8 * 399, 399)!;
  expect([half.low, half.high]).toEqual([wilson.low, wilson.high]);
});
