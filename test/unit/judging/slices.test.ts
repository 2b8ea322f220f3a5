import { describe, expect, test } from 'vitest';
import { fisherTest } from '../../../src/judging/fisher-test.ts';
import { holm } from '../../../src/judging/holm.ts';
import { judgeSlices } from '../../../src/judging/judge-slices.ts';
import { shareDifference } from '../../../src/judging/share-difference.ts';

test('Fisher: the lady tasting tea, 3 of 4 against 1 of 4', () => {
  // (16 + 1 + 16 + 1) / 70
  expect(fisherTest({ right: 3, count: 4 }, { right: 1, count: 4 })).toBeCloseTo(34 / 70, 12);
});

test('Holm: the smallest times four, the next times three, never less than the one before', () => {
  const corrected = [0.03, 0.06, 0.06, 0.9];
  for (const [at, p] of holm([0.0075, 0.03, 0.02, 0.9]).entries()) expect(p).toBeCloseTo(corrected[at]!, 12);
});

test('Newcombe’s example: 56 of 70 against 48 of 80', () => {
  const found = shareDifference({ right: 56, count: 70 }, { right: 48, count: 80 });
  expect(found?.difference).toBeCloseTo(0.2, 12);
  expect(found?.interval.low).toBeCloseTo(0.0524, 4);
  expect(found?.interval.high).toBeCloseTo(0.3339, 4);
});

test('with many mistakes the test is the pooled z', () => {
  // z = 0.1 / sqrt(0.25 × 2 / 1000) = 4.4721; twice the tail is 7.744e-6.
  expect(shareDifference({ right: 550, count: 1000 }, { right: 450, count: 1000 })?.pValue).toBeCloseTo(
    7.744e-6,
    9,
  );
});

describe('slices', () => {
  const all = { right: 921, count: 1010 };

  test('are ordered by what they can surely not be better than, without names of few records first', () => {
    const judged = judgeSlices(
      [
        { name: 'large', right: 800, count: 850 },
        { name: 'weak', right: 120, count: 150 },
        { name: 'tiny', right: 1, count: 10 },
        { name: 'empty', right: 0, count: 0 },
      ],
      all,
    );
    expect(judged.map(({ name }) => name)).toEqual(['tiny', 'weak', 'large']);
    const [, weak] = judged;
    expect(weak?.share).toBe(0.8);
    // The rest has 801 of 860: 150 records would have 139.7 right.
    expect(weak?.excessMistakes).toBeCloseTo(150 * (801 / 860) - 120, 9);
    expect(weak?.correctedP).toBeLessThan(0.001);
  });

  test('without a rest there is nothing to compare with', () => {
    expect(judgeSlices([{ name: 'all', ...all }], all)).toMatchObject([
      { toRest: undefined, correctedP: 1, excessMistakes: 0 },
    ]);
  });

  test('where all is right nothing differs', () => {
    const [one] = judgeSlices([{ name: 'a', right: 5, count: 5 }], { right: 20, count: 20 });
    expect(one).toMatchObject({ correctedP: 1, toRest: { difference: 0, pValue: 1 } });
  });
});
