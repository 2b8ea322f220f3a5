import { expect, test } from 'vitest';
import { scale, toFigure } from '../../../web/console/parts/curve-scale.ts';

test.each([
  [0.12, 0.93, [0, 0.25, 0.5, 0.75, 1]],
  [0.9, 0.95, [0.9, 0.92, 0.94, 0.96]],
  [-3, 3, [-4, -2, 0, 2, 4]],
  [5, 5, [4, 6]],
  [0, 0, [0, 0.25]],
  [Infinity, -Infinity, [0, 1]],
])('the scale of values from %s to %s has round values around them', (low, high, expected) => {
  const found = scale(low, high);
  for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 9);
  if (Number.isFinite(low)) {
    expect(found[0]).toBeLessThanOrEqual(low);
    expect(found.at(-1)).toBeGreaterThanOrEqual(high);
  }
});

test.each([
  [0, '0'],
  [0.031241, '0.03124'],
  [12_345.678, '12350'],
  [1e-7, '1.0e-7'],
  [3e8, '3.0e+8'],
  [null, 'not a number'],
])('%s is written as %s', (value, text) => {
  expect(toFigure(value)).toBe(text);
});
