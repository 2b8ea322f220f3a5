import { expect, test } from 'vitest';
import { headerNotes, headerProblems, isCsv } from '../../../src/plan/judge/judge-header.ts';

const input = (...records: readonly [string, ...string[]]) => [{ key: 'a.csv', records }];

test('a row of names over numbers is a header', () => {
  const found = headerProblems(input('sepal_length,sepal_width,species,petal', '5.1,3.5,setosa,1'));
  expect(found).toEqual([
    {
      file: 'a.csv',
      field: '',
      value: '',
      message:
        'begins with a header (sepal_length, sepal_width, species, …), which the model would get as a record: remove the first row, or drop the folder with inferdrop drop --without-header',
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
  expect(headerProblems(records)).toEqual([]);
});

test('a file that is not cut into rows is looked at as one that is', () => {
  expect(headerProblems(input('a,b\r\n1,2\r\n'))).toHaveLength(1);
});

test('a handler that gets whole files may skip their header, which is noted once', () => {
  expect(headerNotes([...input('a,b', '1,2'), ...input('a,b', '1,2')])).toEqual([
    'a.csv begins with a header (a, b): unless code/inference.py skips it, remove the first row of each file',
  ]);
});

test.each([
  ['text/csv', true],
  ['TEXT/CSV; header=absent', true],
  ['text/csv2', false],
])('%s is CSV: %s', (type, is) => expect(isCsv(type)).toBe(is));
