import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isShown, type LabeledAnswer, measureOrder, orderOfAnswers } from '../../../src/init/class-order.ts';

const answers = (label: string, index: number, times: number): LabeledAnswer[] =>
  Array.from({ length: times }, () => ({ label, index }));

test('an order is measured by the answers that it makes right', () => {
  const given = [...answers('cat', 0, 3), ...answers('dog', 0, 1), ...answers('dog', 1, 2)];
  expect(measureOrder(['cat', 'dog'], given)).toEqual({
    ofClasses: 2,
    numbers: 'names',
    classes: ['cat', 'dog'],
    right: 5,
    of: 6,
  });
  expect(measureOrder(['dog', 'cat'], given)).toEqual({
    ofClasses: 2,
    numbers: 'names',
    classes: ['dog', 'cat'],
    right: 1,
    of: 6,
  });
});

test('answers show the order in which the model was trained', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 5 }), (order) => {
      const given = order.flatMap((label, index) => [
        ...answers(label, index, 5),
        ...answers(label, (index + 1) % 5, 2),
      ]);
      expect(orderOfAnswers(given, 5)?.classes).toEqual(order);
    }),
  );
});

test('an index with fewer than three answers, or the same label as another, shows no order', () => {
  expect(orderOfAnswers([...answers('cat', 0, 9), ...answers('dog', 1, 2)], 2)).toBeUndefined();
  expect(orderOfAnswers([...answers('cat', 0, 9), ...answers('cat', 1, 9)], 2)).toBeUndefined();
});

test.each([
  [
    [
      [18, 20],
      [3, 20],
    ],
    true,
  ],
  [[[18, 20]], true],
  [
    [
      [13, 20],
      [0, 20],
    ],
    false,
  ],
  [
    [
      [18, 20],
      [13, 20],
    ],
    false,
  ],
  [
    [
      [18, 19],
      [0, 19],
    ],
    false,
  ],
  [[], false],
])('of %j the best is shown to be right: %s', (measured, shown) => {
  expect(isShown(measured.map(([right = 0, of = 0]) => ({ right, of })))).toBe(shown);
});
