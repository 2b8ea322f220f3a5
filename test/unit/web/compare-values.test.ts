import { expect, test } from 'vitest';
import { compareValues } from '../../../web/tables/compare-values.ts';

test.each([
  [
    [10, 9, -1, 0.5],
    [-1, 0.5, 9, 10],
  ],
  [
    ['owl 10', 'kite', 'owl 9'],
    ['kite', 'owl 9', 'owl 10'],
  ],
])('%j stand as %j', (values, expected) => {
  expect(values.toSorted(compareValues)).toEqual(expected);
});
