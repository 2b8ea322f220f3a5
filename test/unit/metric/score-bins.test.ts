import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreBins } from '../../../src/metric/score-bins.ts';

test.each([2, 50, 200, 1000])(
  'bins for %d classes rise with the probability and hold both ends',
  (classes) => {
    const bins = scoreBins(classes);
    expect(bins.indexOf(0)).toBe(0);
    expect(bins.indexOf(1)).toBe(bins.length - 1);
    const probability = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 60, noNaN: true }).map((e) => 2 ** -e),
    );
    fc.assert(
      fc.property(probability, probability, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const [from, to] = [bins.indexOf(low), bins.indexOf(high)];
        return from <= to && from >= 0 && to < bins.length;
      }),
      { numRuns: 2000 },
    );
  },
);
