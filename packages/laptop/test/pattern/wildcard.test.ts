import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wildcardMatcher } from '../../pattern/wildcard.ts';

test('matches exactly what the regular expression with .* for each star matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 });
  const pattern = fc
    .array(text, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('*').replaceAll(/\*+/g, '*'));
  fc.assert(
    fc.property(pattern, text, (stars, candidate) => {
      const expected = new RegExp(`^${stars.replaceAll('*', '.*')}$`).test(candidate);
      expect(wildcardMatcher(stars, 'field')(candidate)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('takes no exponential time', () => {
  const matches = wildcardMatcher(`${'a*'.repeat(50)}b`, 'field');
  expect(matches('a'.repeat(50_000))).toBe(false);
});
