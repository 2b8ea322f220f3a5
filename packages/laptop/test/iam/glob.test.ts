import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globMatcher } from '../../iam/glob.ts';

it.each([
  ['*', '', true],
  ['a*', 'a', true],
  ['arn:aws:s3:::b/runs/*/plan.json', 'arn:aws:s3:::b/runs/p/d/000001/plan.json', true],
  ['arn:aws:s3:::b/runs/*/plan.json', 'arn:aws:s3:::b/runs/plan.json', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a**b', 'ab', true],
  ['a', 'A', false],
])('%s and %j: %s', (pattern, text, expected) => {
  expect(globMatcher(pattern)(text)).toBe(expected);
});

it('agrees with a regular expression on any pattern', () => {
  const piece = fc.stringMatching(/^[ab*?.]{0,12}$/);
  fc.assert(
    fc.property(piece, fc.stringMatching(/^[ab.]{0,12}$/), (pattern, text) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*');
      expect(globMatcher(pattern)(text)).toBe(new RegExp(`^${source}$`, 's').test(text));
    }),
    { numRuns: 5_000 },
  );
});

it('a pattern full of stars does not hang', () => {
  expect(globMatcher(`${'a*'.repeat(50)}b`)('a'.repeat(20_000))).toBe(false);
});
