import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LeastDraws } from '../../../src/judging/least-draws.ts';

test('keeps the least draws, whatever the order in which they come', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }),
      fc.nat(30),
      (draws, count) => {
        const least = new LeastDraws(count);
        for (const draw of draws) least.add(draw);
        const kept = draws.filter((draw) => draw <= least.bound);
        const sorted = draws.toSorted((a, b) => a - b).slice(0, count);
        expect(kept.toSorted((a, b) => a - b)).toEqual(sorted);
      },
    ),
  );
});
