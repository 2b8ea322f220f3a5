import { describe, expect, test } from 'vitest';
import { weighedShare } from '../../../src/judging/sampled-share.ts';
import { strataOfSample } from '../../../src/judging/strata-of-sample.ts';
import { drawnInterval, wilsonInterval } from '../../../src/metric/wilson-interval.ts';

const figures = { precision: undefined, recall: undefined, recallInterval: undefined, f1: undefined };
const classes = [
  { id: 0, support: 14, predicted: 14, correct: 13, ...figures },
  { id: 1, support: 4, predicted: 4, correct: 2, ...figures },
  { id: 2, support: 0, predicted: 0, correct: 0, ...figures },
];
const judged = { labeled: 18, correct: 15, classes };
const idOf = (label: string) => ({ circle: 0, square: 1, '0': 0 })[label];

describe('the strata of a sample', () => {
  test('are one where it was not drawn by class, of the answered share of the drop', () => {
    const sample = { inputs: 20, of: 100, classes: [] };
    expect(strataOfSample(sample, judged, idOf)).toEqual([{ total: 90, drawn: 18, right: 15 }]);
  });

  test('are its classes, each without the share that has no answer; two names of a class are one', () => {
    const sample = {
      inputs: 20,
      of: 100,
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

test('a sample is worth as many independent draws as were made, and fewer where its classes are not drawn alike', () => {
  const worth = (...strata: readonly (readonly [total: number, drawn: number, right: number])[]) =>
    weighedShare(strata.map(([total, drawn, right]) => ({ total, drawn, right })));
  expect(worth([400, 200, 160])).toEqual({ share: 0.8, effective: expect.closeTo(200, 6) });
  // Drawn whole, it is no more certain: the bound is on the model, not on these inputs.
  expect(worth([400, 400, 160])).toEqual({ share: 0.4, effective: expect.closeTo(400, 6) });
  // Nine tenths of the weight rest on a tenth of the draws.
  const uneven = worth([900, 20, 16], [100, 180, 144])!;
  expect(uneven.share).toBeCloseTo(0.8, 12);
  expect(uneven.effective).toBeGreaterThan(20);
  expect(uneven.effective).toBeLessThan(30);
  expect(weighedShare([])).toBeUndefined();
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
