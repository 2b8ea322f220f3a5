import { expect, test } from 'vitest';
import { hasHeader, labelColumns } from '../../../src/init/label-column.ts';
import { requestsOf, scoresOf } from '../../../src/init/signature-facts.ts';

test.each([
  ['string', [-1], true, { kind: 'images' }],
  ['string', [-1], false, { kind: 'texts' }],
  ['string', [-1, 2], true, { kind: 'other' }],
  ['float32', [-1, 28, 28, 1], false, { kind: 'pixels' }],
  ['uint8', [-1, -1, -1, 3], false, { kind: 'pixels' }],
  ['float32', [-1, 3, 28, 28], false, { kind: 'other' }],
  ['float32', [-1, 6], false, { kind: 'rows', cells: 6 }],
  ['float32', [-1, -1], false, { kind: 'other' }],
  ['float32', null, false, { kind: 'other' }],
])('an input of %s %j takes %j', (dtype, shape, decodes, requests) => {
  expect(requestsOf([{ name: 'x', dtype, shape }], decodes)).toEqual(requests);
});

test('several inputs are made by no container', () => {
  const input = { name: 'x', dtype: 'float32', shape: [-1, 6] };
  expect(requestsOf([input, { ...input, name: 'y' }], false)).toEqual({ kind: 'other' });
});

test('floats of rank 2 score classes, one number a record the second of two', () => {
  const outputs = [
    { name: 'classes', dtype: 'int64', shape: [-1] },
    { name: 'p', dtype: 'float32', shape: [-1, 10] },
    { name: 'one', dtype: 'float32', shape: [-1, 1] },
    { name: 'flat', dtype: 'float64', shape: [-1] },
    { name: 'map', dtype: 'float32', shape: [-1, 7, 7, 3] },
  ];
  expect(scoresOf(outputs)).toEqual([
    { output: 'p', classes: 10, isSingle: false },
    { output: 'one', classes: 2, isSingle: true },
    { output: 'flat', classes: 2, isSingle: true },
  ]);
});

test('the first or the last column is a label if it holds indices or names', () => {
  const rows = [
    ['0.5', '3', 'cat'],
    ['1.5', '9', 'dog'],
  ];
  expect(labelColumns(rows, 2)).toEqual([{ at: 2, labels: ['cat', 'dog'] }]);
  expect(
    labelColumns(
      [
        ['1', '0.2', '0'],
        ['0', '0.4', '1'],
      ],
      2,
    ).map(({ at }) => at),
  ).toEqual([0, 2]);
  expect(
    labelColumns(
      [
        ['0.1', '2'],
        ['0.2', '7'],
      ],
      3,
    ),
  ).toEqual([]);
});

test('a first row of texts above numbers names the columns', () => {
  expect(
    hasHeader([
      ['a', 'b'],
      ['1', '2'],
    ]),
  ).toBe(true);
  expect(
    hasHeader([
      ['1', 'cat'],
      ['2', 'dog'],
    ]),
  ).toBe(false);
  expect(hasHeader([['a', 'b']])).toBe(false);
});
