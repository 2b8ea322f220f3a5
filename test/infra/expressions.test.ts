import { expect, test } from 'vitest';
import { whyNotLinear } from '../../scripts/linear-time.ts';
import { proofOf } from '../../scripts/proof-of.ts';
import { regularExpressionsOf } from '../../scripts/regular-expressions.ts';

test('an expression that backtracks is named with a text that shows it', async () => {
  expect(await whyNotLinear('(a+)+$', '')).toMatch(/^takes exponential time, as on 'a'/);
  expect(await whyNotLinear('^\\d+\\.?\\d*$', '')).toMatch(/^takes 2nd degree polynomial time/);
  expect(await whyNotLinear('^\\d+(?:\\.\\d*)?$', '')).toBeUndefined();
});

test('expressions are found as literals and as constants that are put together', () => {
  const text = [
    'const DIGITS = String.raw`\\d+`;',
    'const LETTERS = /[a-z]+/;',
    'const both = new RegExp(`^${DIGITS},${LETTERS.source}$`, "i");',
    'const copy = new RegExp(LETTERS);',
    'const one = (word: string) => word.split(/, ?/u);',
    'const given = (word: string) => new RegExp(`^${word}$`);',
  ].join('\n');
  expect(regularExpressionsOf('a.ts', text)).toEqual({
    expressions: [
      { place: 'a.ts:2', source: '[a-z]+', flags: '' },
      { place: 'a.ts:3', source: '^\\d+,[a-z]+$', flags: 'i' },
      { place: 'a.ts:5', source: ', ?', flags: 'u' },
    ],
    assembled: ['a.ts:6'],
  });
});

test('a proof is of one expression with its flags', () => {
  const proofs = [proofOf('a+', ''), proofOf('a+', 'i'), proofOf('a+i', ''), proofOf('b+', '')];
  expect(new Set(proofs).size).toBe(proofs.length);
  expect(proofOf('a+', 'i')).toBe(proofs[1]);
});
