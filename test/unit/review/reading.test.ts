import { expect, test } from 'vitest';
import { type Reading, settle } from '../../../src/review/reading.ts';

const read = (by: string, label: string, how: Reading['how'] = 'blind', minute = by.length): Reading => ({
  id: 'i1',
  label,
  by,
  at: `2026-03-01T12:0${minute}:00.000Z`,
  how,
});

test.each([
  ['nobody', [], undefined],
  ['one who agrees', [read('a', 'cat')], 'cat'],
  ['one who would change it', [read('a', 'dog')], 'second'],
  ['one who would change it, twice', [read('a', 'dog'), read('a', 'dog', 'blind', 5)], 'second'],
  ['two who would change it alike', [read('a', 'dog'), read('bb', 'dog')], 'dog'],
  ['two who would change it otherwise', [read('a', 'dog'), read('bb', 'cow')], 'cat'],
  ['two of whom the second agrees', [read('a', 'dog'), read('bb', 'cat')], 'cat'],
  ['one who saw the prediction', [read('a', 'dog', 'shown')], 'dog'],
  ['one who saw it after a blind one', [read('a', 'dog'), read('bb', 'cow', 'shown')], 'cow'],
])('%s', (_who, readings, label) => {
  const settled = settle(readings, 'cat');
  expect(settled === 'second' ? settled : settled?.label).toBe(label);
});

test('both people are named', () => {
  expect(settle([read('a', 'dog'), read('bb', 'dog')], 'cat')).toEqual({
    label: 'dog',
    by: 'a, bb',
    at: '2026-03-01T12:02:00.000Z',
    how: 'blind',
  });
});
