import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOfPilot, pilotSize } from '../../../src/transform/split-jobs.ts';

test('a run has a pilot where it is quoted at more than ten minutes, or where it is asked for', () => {
  expect(pilotSize('auto', 100_000, 601)).toBe(20);
  expect(pilotSize('auto', 100_000, 600)).toBe(0);
  expect(pilotSize(5, 6, 60)).toBe(5);
  expect(pilotSize(0, 100_000, 7_000)).toBe(0);
});

test('a run that has no more inputs than its pilot would is its own pilot', () => {
  expect(pilotSize('auto', 20, 7_000)).toBe(0);
  expect(pilotSize(5, 5, 60)).toBe(0);
});

test('the inputs of a pilot are spread over the run and begin with the first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5_000 }), fc.integer({ min: 1, max: 100 }), (count, wanted) => {
      const size = Math.min(wanted, count - 1);
      const chosen = Array.from({ length: count }, (_, index) => index).filter((index) =>
        isOfPilot(index, count, size),
      );
      expect(chosen).toHaveLength(size);
      expect(chosen[0]).toBe(0);
      const gaps = chosen.slice(1).map((index, at) => index - chosen[at]!);
      expect(Math.max(0, ...gaps) - Math.min(...gaps, Infinity)).toBeLessThanOrEqual(1);
    }),
  );
  expect(Array.from({ length: 10 }, (_, index) => isOfPilot(index, 10, 0))).not.toContain(true);
});
