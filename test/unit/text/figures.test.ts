import { expect, test } from 'vitest';
import { shareText } from '../../../src/report/text/share-text.ts';
import {
  coordinate,
  decimal,
  dollars,
  duration,
  percent,
  plural,
  pText,
  short,
  signedPercent,
  unbilled,
} from '../../../src/text/figures.ts';

test.each([
  [0, '0.0%'],
  [1, '100.0%'],
  [0.5, '50.0%'],
  [0.9996, '99.96%'],
  [0.0004, '0.04%'],
  [9_999_998 / 9_999_999, '>99.9999%'],
  [1 / 10_000_000, '<0.0001%'],
])('%d reads as all or nothing only where it is: %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

test.each([
  [0, '±0.0'],
  [0.004, '+0.4'],
  [-0.123, '−12.3'],
  [-0.00012, '−0.01'],
  [1e-9, '+<0.0001'],
])('a change of %d is %s percentage points', (change, text) => {
  expect(signedPercent(change)).toBe(text);
});

test.each([
  [null, 'price not known'],
  [0, '$0.00'],
  [0.000_000_01, '<$0.000001'],
  [0.000_047, '$0.000047'],
  [0.0012345, '$0.0012'],
  [0.01, '$0.01'],
  [1234.567, '$1234.57'],
])('%s US dollars are %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});

test.each([
  [null, 'not known'],
  [0, '0 s'],
  [1.26, '1.3 s'],
  [9.96, '10 s'],
  [42.4, '42 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [200.4, '3 min 20 s'],
  [3_599.4, '59 min 59 s'],
  [3_599.6, '1 h 00 min'],
  [7_530, '2 h 05 min'],
  [172_799, '47 h 59 min'],
  [172_800, '2 days'],
  [273_600, '3 days 4 h'],
])('%s seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test.each([
  [0, '0 inputs'],
  [1, '1 input'],
  [2_000, '2,000 inputs'],
])('%d: %s', (count, text) => {
  expect(plural(count, 'input')).toBe(text);
});

test.each([
  [0.03141, 'p = 0.031'],
  [0.0001, 'p = 0.0001'],
  [0.00009, 'p < 0.0001'],
  [1, 'p = 1'],
])('a p-value of %d is written as %s', (pValue, text) => {
  expect(pText(pValue)).toBe(text);
});

test.each([
  [0, ''],
  [0.0004, '<0.1'],
  [0.0005, '0.1'],
  [0.0094, '0.9'],
  [0.0095, '1'],
  [0.5, '50'],
  [0.995, '100'],
  [0.9951, '99.5'],
  [0.9994, '99.9'],
  [0.9995, '>99.9'],
  [0.9996, '>99.9'],
  [1, '100'],
])('the share %d stands in a cell as %j', (share, text) => {
  expect(shareText(share)).toBe(text);
});

test('a figure without a unit has its decimals or its significant digits', () => {
  expect([decimal(0.5, 4), short(12.3456), short(0.000_123_4, 2), coordinate(3)]).toEqual([
    '0.5000',
    '12.35',
    '0.00012',
    '3.0',
  ]);
});

test('a price on this machine says that nobody pays it', () => {
  expect(unbilled(0.0041)).toBe('would cost $0.0041 on AWS; nothing is billed here');
  expect(unbilled(null)).toBe('has no known price on AWS; nothing is billed here');
});
