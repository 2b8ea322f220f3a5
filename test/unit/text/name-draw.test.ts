import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawn, nameDraw } from '../../../src/text/name-draw.ts';

const ROTATION = Array.from({ length: 1_000 }, (_, at) => ({
  name: `${String(at).padStart(4, '0')}_${'abcdefghij'[at % 10]}`,
  label: 'abcdefghij'[at % 10]!,
}));
const countsOf = (some: readonly { label: string }[]) =>
  [...Map.groupBy(some, ({ label }) => label).values()].map(({ length }) => length);

test('of classes in rotation, a draw by name misses none, and one by class has as many of each', () => {
  const byName = drawn(ROTATION, 120, ({ name }) => name);
  expect(byName).toHaveLength(120);
  expect(countsOf(byName)).toHaveLength(10);
  const byClass = drawn(
    ROTATION,
    120,
    ({ name }) => name,
    ({ label }) => label,
  );
  expect(countsOf(byClass)).toEqual(Array(10).fill(12));
});

test('a draw is the same in every order, has each item once, and all where there are few', () => {
  const names = fc.uniqueArray(fc.string(), { maxLength: 40 });
  fc.assert(
    fc.property(names, fc.nat(40), (all, count) => {
      const some = drawn(all, count, String);
      expect(new Set(some).size).toBe(Math.min(count, all.length));
      expect(new Set(drawn(all.toReversed(), count, String))).toEqual(new Set(some));
    }),
  );
});

test('numbers of a lottery lie between 0 and 1, others for another seed', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (name, seed) => {
      expect(nameDraw(name, seed)).toBeGreaterThanOrEqual(0);
      expect(nameDraw(name, seed)).toBeLessThan(1);
    }),
  );
  expect(nameDraw('a', 1)).not.toBe(nameDraw('a', 0));
});
