import { expect, test } from 'vitest';
import { headerProblems, isCsv } from '../../../src/plan/judge-header.ts';

const input = (...records: readonly [string, ...string[]]) => [{ key: 'a.csv', records }];

test('a row of names over numbers is a header', () => {
  const found = headerProblems(input('sepal_length,sepal_width,species,petal', '5.1,3.5,setosa,1'), true);
  expect(found).toEqual([
    {
      file: 'a.csv',
      field: '',
      value: '',
      message:
        'begins with a header (sepal_length, sepal_width, species, …), which the model would get as a record: remove the first row',
    },
  ]);
});

test.each([
  ['numbers alone', input('1,2', '3,4')],
  ['texts alone', input('good,bad', 'fine,poor')],
  ['a single row', input('a,b')],
  ['rows of different lengths', input('title', '1,2')],
  ['a label before numbers', input('setosa,5.1,3.5', 'setosa,4.9,3')],
])('%s are not', (_what, records) => {
  expect(headerProblems(records, true)).toEqual([]);
});

test('a handler that gets whole files may skip their header', () => {
  expect(headerProblems(input('a,b', '1,2'), false)).toEqual([]);
});

test.each([
  ['text/csv', true],
  ['TEXT/CSV; header=absent', true],
  ['text/csv2', false],
])('%s is CSV: %s', (type, is) => expect(isCsv(type)).toBe(is));
