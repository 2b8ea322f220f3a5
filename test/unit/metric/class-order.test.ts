import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { betterOrder } from '../../../src/metric/class-order.ts';
import { countPair } from '../../../src/metric/confusion-counts.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { orderNotes } from '../../../src/report/text/order-note.ts';

/** A tally with counts[truth][predicted]. */
function tallyOf(counts: readonly (readonly number[])[], names = counts.map((_, at) => `c${at}`)) {
  const tally = createTally(new ClassList(names), 0);
  for (const [truth, row] of counts.entries())
    for (const [predicted, times] of row.entries())
      if (times > 0) countPair(tally.confusion, truth, predicted, times);
  return tally;
}

test('classes in the reverse order are noted with the right one', () => {
  const tally = tallyOf(
    [
      [0, 1, 48],
      [0, 49, 1],
      [50, 0, 0],
    ],
    ['cat', 'dog', 'ant'],
  );
  expect(betterOrder(tally)).toEqual({ places: [2, 1, 0], accuracy: 147 / 149 });
  expect(orderNotes(tally)).toEqual([
    expect.stringContaining('in the order ["ant","dog","cat"] the accuracy would be 98.66%'),
  ]);
});

test('a model that counts from 1 is noted: it answers as many as there are classes, and never 0', () => {
  const counted = (outsider: string, first = 0) => {
    const tally = tallyOf(
      [
        [first, 9, 0],
        [0, 0, 9],
        [0, 0, 0],
      ],
      ['cat', 'dog', 'ant'],
    );
    countPair(tally.confusion, 2, tally.classes.add(outsider), 9);
    return orderNotes(tally).filter((note) => note.includes('classOffset'));
  };
  expect(counted('#3')).toEqual([
    'the model answers the number 3 and never 0, and 3 classes are counted from 0 to 2: it perhaps counts from 1, and ' +
      'each prediction would be of the class after its own. ' +
      'Set labels.classOffset to -1, and rescore the run',
  ]);
  expect([counted('#4'), counted('fish'), counted('#3', 1)]).toEqual([[], [], []]);
});

test('nine records are enough where chance would not explain them', () => {
  const tally = tallyOf(
    [
      [0, 0, 3],
      [3, 0, 0],
      [0, 3, 0],
    ],
    ['blue', 'red', 'green'],
  );
  expect(betterOrder(tally)).toEqual({ places: [1, 2, 0], accuracy: 1 });
});

test.each([
  [
    'right',
    [
      [50, 2],
      [3, 50],
    ],
  ],
  [
    'bad',
    [
      [30, 20],
      [25, 25],
    ],
  ],
  [
    'hardly known',
    [
      [0, 2],
      [2, 0],
    ],
  ],
  [
    'one answer for all',
    [
      [0, 50],
      [0, 50],
    ],
  ],
  [
    'three taken for one',
    [
      [0, 0, 40],
      [0, 0, 40],
      [0, 0, 40],
    ],
  ],
])('a model that is %s is not told of another order', (_what, counts) => {
  expect(betterOrder(tallyOf(counts))).toBeUndefined();
});

test('the sum is that of the best of all orders', () => {
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((one) => orders(rest.filter((other) => other !== one)).map((order) => [one, ...order]));
  const matrix = fc
    .integer({ min: 2, max: 5 })
    .chain((n) =>
      fc.array(fc.array(fc.nat(9), { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
    );
  fc.assert(
    fc.property(matrix, (counts) => {
      const n = counts.length;
      // Many records on one order, so that it is found at all.
      const shifted = counts.map((row, truth) =>
        row.map((times, at) => times + (at === (truth + 1) % n ? 100 : 0)),
      );
      const total = shifted.flat().reduce((sum, times) => sum + times, 0);
      const best = Math.max(
        ...orders([...shifted.keys()]).map((order) =>
          order.reduce((sum, truth, predicted) => sum + (shifted[truth]?.[predicted] ?? 0), 0),
        ),
      );
      const found = betterOrder(tallyOf(shifted));
      if (found !== undefined) expect(found.accuracy).toBeCloseTo(best / total, 12);
    }),
  );
});
