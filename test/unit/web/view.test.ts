import { expect, test } from 'vitest';
import { around, revealing, scaleOf, type View, WHOLE, within, zoomed } from '../../../web/matrix/view.ts';

const N = 100;
const QUARTER: View = { zoom: 2, left: 25, top: 25 };

test.each([
  [{ zoom: 0.5, left: 0, top: 0 }, WHOLE],
  [{ zoom: 1, left: 3, top: -3 }, WHOLE],
  [
    { zoom: 2, left: 99, top: -1 },
    { zoom: 2, left: 50, top: 0 },
  ],
  [
    { zoom: 99, left: 10, top: 98 },
    { zoom: 25, left: 10, top: 96 },
  ],
])('a view stays inside the matrix, and four cells wide: %o', (view, expected) => {
  expect(within(view, N)).toEqual(expected);
});

test('zooming keeps the middle, or puts a cell there', () => {
  expect(zoomed(WHOLE, 2, N)).toEqual(QUARTER);
  expect(zoomed(QUARTER, 0.5, N)).toEqual(WHOLE);
  expect(zoomed(WHOLE, 4, N, { row: 60, column: 40 })).toEqual({ zoom: 4, left: 27.5, top: 47.5 });
  expect(zoomed(WHOLE, 4, N, { row: 0, column: 99 })).toEqual({ zoom: 4, left: 75, top: 0 });
});

test.each([
  ['a cell that is shown', { row: 30, column: 70 }, QUARTER],
  ['one above and left', { row: 24, column: 3 }, { zoom: 2, left: 3, top: 24 }],
  ['one below and right', { row: 75, column: 99 }, { zoom: 2, left: 50, top: 26 }],
])('the view moves no further than %s needs', (_, cell, expected) => {
  expect(revealing(QUARTER, cell, N)).toEqual(expected);
});

test('a class that is found stands among 24', () => {
  expect(around(50, N)).toEqual({ zoom: N / 24, left: 38, top: 38 });
  expect(around(2, N)).toEqual({ zoom: N / 24, left: 0, top: 0 });
});

test('names have a margin as soon as a cell is 9 pixels high', () => {
  expect(scaleOf(WHOLE, N, 907)).toEqual({ size: 8.99, margin: 8 });
  expect(scaleOf(WHOLE, N, 908)).toEqual({ size: 7.88, margin: 120 });
});
