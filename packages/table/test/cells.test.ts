import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellNumber, cellText, csvCells } from '../cells.ts';
import { cpuSeconds } from './support/cpu-seconds.ts';

test.each([
  ['a,b', ['a', 'b']],
  ['', ['']],
  ['a,,', ['a', '', '']],
  ['"a,b",c', ['"a,b"', 'c']],
  ['a"b,"c', ['a"b', '"c']],
  ['a"b,c"', ['a"b', 'c"']],
  ['"a"b,"c"",d"', ['"a"b', '"c"",d"']],
  ['"open,c', ['"open,c']],
])('%s has the cells %j', (row, cells) => {
  expect(csvCells(row)).toEqual(cells);
});

test('whatever is written as RFC 4180 says is read back', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', '\n', 'ß', '1') });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      const row = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
      expect(csvCells(row).map(cellText)).toEqual(cells);
    }),
  );
});

test('quotes are as in Python: one within a cell that does not begin with it is text, and what follows a quoted text is added', () => {
  expect(['5" wide', '"', ' "a" b', '"a" b', '"a""', '"a"b"'].map(cellText)).toEqual([
    '5" wide',
    '',
    ' "a" b',
    'a b',
    'a"',
    'ab"',
  ]);
});

test('numbers as programs write them', () => {
  const read = ['1', ' -2.5e-3 ', '"4"', '.5', '+3.', 'NaN', '-inf', 'Infinity'].map(cellNumber);
  expect(read).toEqual([1, -0.0025, 4, 0.5, 3, NaN, -Infinity, Infinity]);
  expect(['-nan', '+INF', ' "1e5" ', '12.5E+1'].map(cellNumber)).toEqual([NaN, Infinity, 100_000, 125]);
  for (const cell of [
    '',
    ' ',
    'a',
    '1 2',
    '0x10',
    '1e',
    '--1',
    'infer',
    'nano',
    'xinf',
    'xnan',
    'x1',
    '.',
    '1e+',
  ])
    expect(cellNumber(cell)).toBeUndefined();
});

test('a long cell is read in time that grows with its length, whatever it holds', async () => {
  const seconds = await cpuSeconds(() => {
    expect(cellNumber(`${'1'.repeat(200_000)}x`)).toBeUndefined();
    expect(cellNumber(`${'1'.repeat(200_000)}.${'1'.repeat(200_000)}e`)).toBeUndefined();
    expect(cellText(`"${'x'.repeat(20_000_000)}"`)).toHaveLength(20_000_000);
    expect(cellText(`"${'x""'.repeat(1_000_000)}`)).toHaveLength(2_000_000);
  });
  expect(seconds).toBeLessThan(2);
});
