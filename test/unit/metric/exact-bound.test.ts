import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeLower, changeTail } from '../../../src/metric/change-bound.ts';
import { binomialTail, exactLower, exactUpper } from '../../../src/metric/exact-bound.ts';

/** Sum of the terms of the binomial distribution, each from the one before. */
function binomialSum(right: number, count: number, share: number): number {
  let term = (1 - share) ** count;
  let below = 0;
  for (let at = 0; at < right; at++) {
    below += term;
    term *= ((count - at) / (at + 1)) * (share / (1 - share));
  }
  return 1 - below;
}

const confidences = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.99, 0.9999);
const counts = fc.integer({ min: 1, max: 10_000_000 });
const problems = counts.chain((count) => fc.tuple(fc.nat(count), fc.constant(count), confidences));

describe('exact bounds of a share', () => {
  /** Figures of `scipy.stats.binomtest(right, count).proportion_ci(confidence, 'exact')` of SciPy 1.16: lab/oracle compares thousands. */
  test.each([
    [30, 30, 0.95, 0.9049661471446959, 1],
    [40, 40, 0.95, 0.9278424754944854, 1],
    [940, 1_000, 0.95, 0.9261508515497792, 0.9518756359910152],
    [0, 300, 0.95, 0, 0.009936081944523169],
    [1, 10_000_000, 0.99, 1.0052633792614148e-9, 6.638350340645457e-7],
  ])('%d of %d at %d', (right, count, confidence, low, high) => {
    expect(exactLower(right, count, confidence)).toBeCloseTo(low, 12);
    expect(exactUpper(right, count, confidence)).toBeCloseTo(high, 12);
  });

  test('the tail is the sum of the binomial probabilities', () => {
    const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    const some = fc
      .integer({ min: 1, max: 200 })
      .chain((count) => fc.tuple(fc.nat(count), fc.constant(count), share));
    fc.assert(
      fc.property(some, ([right, count, share]) => {
        expect(binomialTail(right, count, share)).toBeCloseTo(binomialSum(right, count, share), 11);
      }),
    );
  });

  test('the ends are where the tails leave what the confidence does, and hold the share seen', () => {
    fc.assert(
      fc.property(problems, ([right, count, confidence]) => {
        const [low, high] = [exactLower(right, count, confidence), exactUpper(right, count, confidence)];
        expect(low).toBeLessThanOrEqual(right / count);
        expect(high).toBeGreaterThanOrEqual(right / count);
        if (right > 0) expect(binomialTail(right, count, low)).toBeCloseTo(1 - confidence, 7);
        if (right < count) expect(1 - binomialTail(right + 1, count, high)).toBeCloseTo(1 - confidence, 7);
      }),
    );
  });

  test('one more right answer never proves less, one more wrong one never more, effective counts neither', () => {
    fc.assert(
      fc.property(
        problems,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        ([right, count, confidence], worth) => {
          const low = exactLower(right, count, confidence);
          if (right < count) expect(exactLower(right + 1, count, confidence)).toBeGreaterThanOrEqual(low);
          expect(exactLower(right, count + 1, confidence)).toBeLessThanOrEqual(low);
          expect(exactLower(right * worth, count * worth, confidence)).toBeLessThanOrEqual(low * (1 + 1e-9));
        },
      ),
    );
  });

  test('nothing proves nothing', () => {
    expect([exactLower(0, 0, 0.95), exactUpper(0, 0, 0.95)]).toEqual([0, 1]);
  });
});

/** Share of the outcomes, of all with `gained` and `lost` of `count`, for which `passes` holds. */
function chance(
  count: number,
  gained: number,
  lost: number,
  passes: (gained: number, lost: number) => boolean,
): number {
  const logs = [0];
  for (let at = 1; at <= count; at++) logs.push((logs.at(-1) ?? 0) + Math.log(at));
  const log = (at: number): number => logs[at] ?? 0;
  const power = (share: number, times: number): number => (times === 0 ? 0 : times * Math.log(share));
  let sum = 0;
  for (let g = 0; g <= count; g++)
    for (let l = 0; l <= count - g; l++) {
      const same = count - g - l;
      const p = Math.exp(
        log(count) -
          log(g) -
          log(l) -
          log(same) +
          power(gained, g) +
          power(lost, l) +
          power(1 - gained - lost, same),
      );
      if (p > 1e-9 && passes(g, l)) sum += p;
    }
  return sum;
}

describe('bounds of a paired change', () => {
  /** Ends by `scipy.optimize.brentq` on the score: lab/oracle compares thousands. */
  test.each([
    [12, 3, 300, 0.95],
    [10, 20, 1_000, 0.95],
    [0, 0, 100, 0.9],
    [0, 50, 50, 0.99],
  ])('%d gained and %d lost of %d at %d hold the change seen', (gained, lost, count, confidence) => {
    const pairs = { gained, lost, count };
    const low = changeLower(pairs, confidence);
    const high = -changeLower({ gained: lost, lost: gained, count }, confidence);
    expect(low).toBeLessThanOrEqual((gained - lost) / count);
    expect(high).toBeGreaterThanOrEqual((gained - lost) / count);
    if (low > -0.999) expect(changeTail(pairs, low)).toBeCloseTo(1 - confidence, 6);
  });

  test('pairs of none prove nothing', () => {
    const none = { gained: 0, lost: 0, count: 0 };
    expect([changeLower(none, 0.95), changeTail(none, -1)]).toEqual([-1, 1]);
  });

  test('a record gained never proves less, one lost never more', () => {
    const pair = fc.tuple(fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 5_000 }), confidences);
    fc.assert(
      fc.property(pair, ([gained, lost, same, confidence]) => {
        if (confidence === 0.5) return;
        const count = gained + lost + same;
        const low = changeLower({ gained, lost, count }, confidence);
        expect(changeLower({ gained: gained + 1, lost, count }, confidence)).toBeGreaterThanOrEqual(low);
        expect(changeLower({ gained, lost: lost + 1, count }, confidence)).toBeLessThanOrEqual(low);
      }),
    );
  });

  test.each([
    [0, 30, 0.95],
    [0.01, 100, 0.95],
    [0.05, 60, 0.95],
    [0.01, 100, 0.8],
    [0.02, 100, 0.9],
  ])(
    'a change of exactly −%d on %d records is taken for a smaller loss no more often than promised',
    (loss, count, confidence) => {
      const passes = Array.from({ length: count + 1 }, (_, gained) =>
        Array.from(
          { length: count + 1 },
          (__, lost) => changeTail({ gained, lost, count }, -loss) <= 1 - confidence,
        ),
      );
      for (const differing of [0.01, 0.03, 0.06, 0.1, 0.2, 0.3].filter((share) => share >= loss)) {
        const [gained, lost] = [(differing - loss) / 2, (differing + loss) / 2];
        expect(chance(count, gained, lost, (g, l) => passes[g]?.[l] === true)).toBeLessThanOrEqual(
          1 - confidence,
        );
      }
    },
  );
});
