import { describe, expect, test } from 'vitest';
import { drawOf } from '../../../src/judging/draw.ts';
import { proportionalDraws } from '../../../src/judging/least-draws.ts';
import { sampledShare } from '../../../src/judging/sampled-share.ts';

describe('a sampled share', () => {
  test('of everything is known', () => {
    expect(sampledShare([{ total: 40, drawn: 40, right: 30 }])).toEqual({
      share: 0.75,
      interval: { low: 0.75, high: 0.75 },
    });
  });

  test('weighs the strata, and is unknown where one has no draw', () => {
    const strata = [
      { total: 900, drawn: 90, right: 81 },
      { total: 100, drawn: 100, right: 50 },
    ];
    expect(sampledShare(strata)?.share).toBeCloseTo(0.86, 12);
    expect(sampledShare([...strata, { total: 1, drawn: 0, right: 0 }])).toBeUndefined();
    expect(sampledShare([])).toBeUndefined();
  });

  test('of half of a drop has about the interval of twice as many draws', () => {
    // 200 of 400: 200 × 399 / 200 = 399 trials; Wilson of 80 %: 0.7579 … 0.8363.
    const found = sampledShare([{ total: 400, drawn: 200, right: 160 }]);
    expect(found?.interval.low).toBeCloseTo(0.758, 3);
    expect(found?.interval.high).toBeCloseTo(0.8363, 3);
  });

  test('is never beyond what the draws alone prove', () => {
    const found = sampledShare([{ total: 10, drawn: 9, right: 9 }]);
    expect(found?.interval.low).toBeGreaterThanOrEqual(0.9);
    expect(found?.interval.high).toBeCloseTo(1, 12);
  });

  test('draws in proportion, two of each at least', () => {
    expect(proportionalDraws([700, 200, 100], 10)).toEqual([7, 2, 2]);
    expect(proportionalDraws([10, 10, 10], 10)).toEqual([4, 3, 3]);
    expect(proportionalDraws([1, 999], 100)).toEqual([1, 99]);
  });
});

test('a draw is the same for the same seed, another for another, and even over names', () => {
  const draw = drawOf('run 1');
  expect(draw('a.png')).toBe(drawOf('run 1')('a.png'));
  expect(draw('a.png')).not.toBe(drawOf('run 2')('a.png'));
  const draws = Array.from({ length: 10_000 }, (_, at) => draw(`${at}.png`));
  const tenths = Array.from({ length: 10 }, (_, at) => draws.filter((each) => Math.floor(each * 10) === at));
  // Four standard deviations of a binomial count.
  for (const tenth of tenths) expect(Math.abs(tenth.length - 1000)).toBeLessThan(120);
});
