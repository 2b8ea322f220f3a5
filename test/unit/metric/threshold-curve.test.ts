import { expect, it } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { countPair } from '../../../src/metric/confusion-counts.ts';
import { createTally, type Tally } from '../../../src/metric/tally.ts';
import { thresholdCurve } from '../../../src/metric/threshold-curve.ts';

/** A tally of records given as the score of the second class and the truth. */
function tallyOf(records: readonly (readonly [score: number, truth: 0 | 1])[], names = ['no', 'yes']): Tally {
  const tally = createTally(new ClassList(names), 0);
  for (const [score, truth] of records) tally.exactScores.add([1 - score, score], truth);
  tally.distributions = records.length;
  return tally;
}

it('counts what each threshold calls positive, equal scores together', () => {
  const curve = thresholdCurve(
    tallyOf([
      [0.9, 1],
      [0.75, 0],
      [0.75, 1],
      [0.25, 0],
    ]),
  );
  expect(curve).toEqual({
    positives: 2,
    negatives: 2,
    points: [
      { threshold: 0.9, truePositives: 1, falsePositives: 0 },
      { threshold: 0.75, truePositives: 2, falsePositives: 1 },
      { threshold: 0.25, truePositives: 2, falsePositives: 2 },
    ],
  });
});

it('keeps at most 200 points, the last of them with every record', () => {
  const records = Array.from({ length: 5_000 }, (_, at) => [at / 5_000, at % 2 === 0 ? 1 : 0] as const);
  const { points = [] } = thresholdCurve(tallyOf(records)) ?? {};
  expect(points.length).toBeGreaterThan(150);
  expect(points.length).toBeLessThanOrEqual(200);
  expect(points.at(-1)).toEqual({ threshold: 0, truePositives: 2_500, falsePositives: 2_500 });
  expect(points[0]).toEqual({ threshold: 4_999 / 5_000, truePositives: 0, falsePositives: 1 });
});

it('keeps the point at which the run decided', () => {
  const tally = tallyOf(Array.from({ length: 5_000 }, (_, at) => [at / 5_000, at % 2 === 0 ? 1 : 0]));
  countPair(tally.confusion, 1, 1, 1_000);
  countPair(tally.confusion, 0, 1, 234);
  expect(thresholdCurve(tally)?.points).toContainEqual({
    threshold: (5_000 - 1_234) / 5_000,
    truePositives: 617,
    falsePositives: 617,
  });
});

it.each([
  ['one class has no record', tallyOf([[0.9, 1]])],
  [
    'scores of a record were not kept',
    {
      ...tallyOf([
        [0.9, 1],
        [0.1, 0],
      ]),
      distributions: 3,
    },
  ],
  [
    'there are three classes',
    tallyOf(
      [
        [0.9, 1],
        [0.1, 0],
      ],
      ['a', 'b', 'c'],
    ),
  ],
])('is undefined where %s', (_what, tally) => {
  expect(thresholdCurve(tally)).toBeUndefined();
});
