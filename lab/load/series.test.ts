import { expect, test } from 'vitest';
import { growthOf, type Holding, judgeSeries } from './series.ts';

const ALLOWED = { rssMb: 10, heapMb: 5, descriptors: 3, files: 0 };
const series = (heapMb: (index: number) => number): Holding[] =>
  Array.from({ length: 20 }, (_, index) => ({
    atSeconds: index * 3,
    rssMb: 100,
    heapMb: heapMb(index),
    descriptors: 30,
    files: 7,
  }));

test('what grows while it warms up and then stays is no leak', () => {
  const warm = series((index) => Math.min(60, 20 + index * 8));
  expect(growthOf(warm, 'heapMb')).toBe(0);
  expect(judgeSeries(warm, ALLOWED).problems).toEqual([]);
});

test('what grows on and on is named with its growth', () => {
  const leak = series((index) => 20 + index);
  expect(growthOf(leak, 'heapMb')).toBeCloseTo(9);
  expect(judgeSeries(leak, ALLOWED).problems).toEqual(['heapMb grew by 9.0 over the second half, at most 5']);
});

test('a peak at the end of a level series is not taken for growth', () => {
  expect(
    growthOf(
      series((index) => (index % 2 === 0 ? 20 : 26)),
      'heapMb',
    ),
  ).toBeLessThan(2);
});
