import { expect, test } from 'vitest';
import { measureOrder } from '../../../src/init/class-order.ts';
import { labelNumbers } from '../../../src/init/label-numbers.ts';

const ONE_TO_THREE = ['1', '2', '3'];
const answers = Array.from({ length: 30 }, (_, at) => ({ label: String((at % 2) + 1), index: (at % 2) + 1 }));
const measured = (['index', 'names', 'index-from-1'] as const).map((numbers) =>
  measureOrder(ONE_TO_THREE, answers, numbers),
);

test.each([
  [
    'the answers of the model',
    ['1', '2'],
    measured,
    {
      value: 'index',
      reason: "as the model's answers show: 30 of 30 labeled inputs are right with it (100.0%)",
    },
  ],
  ['labels that fit one reading', ['1', '3'], [], { value: 'names', reason: 'as the labels tell' }],
  ['names', ['cat'], [], { value: 'names', reason: 'no label is a number' }],
  ['no labels', [], [], undefined],
])('labels.numbers is set by %s', (_, labels, orders, chosen) => {
  expect(labelNumbers(labels, ONE_TO_THREE, orders)).toEqual(chosen);
});

test('labels that fit two readings leave it open, with both', () => {
  expect(labelNumbers(['1', '2'], ONE_TO_THREE, [])).toEqual({
    open:
      'labels are numbers ("1", "2") that fit both the names of labels.classes and places in it, with different ' +
      'classes: set labels.numbers to "names" (1 is "1", 2 is "2") or "index" (1 is "2", 2 is "3"), or such drops are ' +
      'refused',
  });
});
