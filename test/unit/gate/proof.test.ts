import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bound } from '../../../src/gate/bound.ts';
import { mostErrors, outcomeOf, prove } from '../../../src/gate/proof.ts';
import { random } from '../../support/random.ts';

const share = (right: number, count: number, floor: number, effective?: number): Bound => ({
  kind: 'recall',
  name: `${right}/${count}`,
  floor,
  minInputs: 1,
  count: { right, count, effective },
});
const change = (gained: number, lost: number, count: number, floor: number): Bound => ({
  kind: 'change',
  name: '',
  floor,
  minInputs: 1,
  count: { gained, lost, count },
});

const floor = fc.double({ min: 0, max: 1, noNaN: true });
const anyShare = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), floor, fc.double({ min: 0.1, max: 1, noNaN: true }))
  .chain(([count, floor, worth]) => fc.nat(count).map((right) => share(right, count, floor, count * worth)));
const anyChange = fc
  .tuple(fc.nat(200), fc.nat(200), fc.nat(3_000), fc.double({ min: -1, max: 0, noNaN: true }))
  .map(([gained, lost, same, floor]) => change(gained, lost, gained + lost + same + 1, floor));
/** Shares a little above their floor. */
const near = fc
  .tuple(fc.integer({ min: 100, max: 2_000 }), fc.double({ min: 0.5, max: 0.95, noNaN: true }), fc.nat(5))
  .map(([count, floor, more]) => share(Math.ceil(count * floor) + more, count, floor, count / 2));
const anyBound = fc.oneof(anyShare, anyChange);
const anyConfidence = fc.constantFrom(0.5, 0.8, 0.95, 0.999);

const lowOf = (bound: Bound, confidence: number) => prove([bound], confidence)[0]!.low;
/** Upper end of the figure, by the lower one of mistakes, or of the change the other way. */
const highOf = (bound: Bound, confidence: number) => {
  if (bound.kind === 'change') {
    const { gained, lost } = bound.count;
    return -lowOf({ ...bound, count: { ...bound.count, gained: lost, lost: gained } }, confidence);
  }
  const { right, count } = bound.count;
  return 1 - lowOf({ ...bound, count: { ...bound.count, right: count - right } }, confidence);
};

describe('one rule', () => {
  test('a bound is proven if and only if its lower end reaches the floor, and refuted only below it', () => {
    fc.assert(
      fc.property(anyBound, anyConfidence, (bound, confidence) => {
        const { outcome, low } = prove([bound], confidence)[0]!;
        const high = highOf(bound, confidence);
        fc.pre(Math.abs(low - bound.floor) > 1e-9 && Math.abs(high - bound.floor) > 1e-9);
        expect(outcome === 'proven').toBe(low > bound.floor);
        expect(outcome === 'refuted').toBe(high < bound.floor);
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });

  test('more right answers never lose a proof, and other bounds change none', () => {
    fc.assert(
      fc.property(fc.array(anyShare, { minLength: 1, maxLength: 8 }), anyConfidence, (bounds, confidence) => {
        const judged = prove(bounds, confidence);
        const better = prove(
          bounds.map((bound) =>
            share(
              Math.min(bound.count.count, ('right' in bound.count ? bound.count.right : 0) + 1),
              bound.count.count,
              bound.floor,
              bound.count.effective,
            ),
          ),
          confidence,
        );
        for (const [at, { outcome, bound }] of judged.entries()) {
          if (outcome === 'proven') expect(better[at]?.outcome).toBe('proven');
          expect(prove([bound], confidence)[0]?.outcome === 'proven').toBe(outcome === 'proven');
        }
        if (outcomeOf(judged) === 'passed') expect(outcomeOf(better)).toBe('passed');
      }),
    );
  });

  test('what is said to prove an open bound proves it, and a tenth less does not', () => {
    fc.assert(
      fc.property(near, (bound) => {
        const [judged] = prove([bound], 0.95);
        fc.pre(judged?.needed !== undefined);
        const times = judged.needed / bound.count.count;
        const scaled = (by: number) => {
          const {
            right = 0,
            count,
            effective = count,
          } = bound.count as { right?: number; count: number; effective?: number };
          return prove([share(right * by, count * by, bound.floor, effective * by)], 0.95)[0]?.outcome;
        };
        expect(scaled(times)).toBe('proven');
        expect(scaled(times * 0.9)).toBe('open');
      }),
    );
  });

  test('without a confidence the figure decides, to the last record', () => {
    expect(
      prove([share(9, 10, 0.9), share(8, 10, 0.9), share(0, 0, 0.9)], null).map(({ outcome }) => outcome),
    ).toEqual(['proven', 'refuted', 'open']);
    expect(
      prove([change(10, 20, 1_000, -0.01), change(9, 20, 1_000, -0.01)], null).map(({ outcome }) => outcome),
    ).toEqual(['proven', 'refuted']);
  });
});

/** Share of 500 gates that end so: classes of 100 records, each truly right in `quality`, must have a recall of 0.8. */
function outcomes(classes: number, quality: number): Record<string, number> {
  const next = random(classes);
  const seen: Record<string, number> = { passed: 0, failed: 0, none: 0 };
  for (let time = 0; time < 500; time++) {
    const bounds = Array.from({ length: classes }, () => {
      let right = 0;
      for (let at = 0; at < 100; at++) right += next() < quality ? 1 : 0;
      return share(right, 100, 0.8);
    });
    const outcome = outcomeOf(prove(bounds, 0.95));
    seen[outcome] = (seen[outcome] ?? 0) + 1 / 500;
  }
  return seen;
}

describe('many bounds', () => {
  test('ten good classes of a hundred records are proven together in about 27% of runs, and hardly ever refuted', () => {
    const { passed = 0, failed = 0 } = outcomes(10, 0.9);
    expect(passed).toBeGreaterThan(0.2);
    expect(passed).toBeLessThan(0.35);
    expect(failed).toBeLessThan(0.01);
  });

  test('fifty classes just at their floor are refuted in 5% of runs at most', () => {
    const { passed = 0, failed = 0 } = outcomes(50, 0.8);
    expect(passed).toBe(0);
    expect(failed).toBeLessThan(0.07);
  });
});

test('the most errors of a run are those with which its bound is still proven', () => {
  expect(mostErrors(0.02, null, 100_000)).toBe(2_000);
  expect(mostErrors(0.3, null, 10)).toBe(3);
  expect(mostErrors(0, 0.95, 100)).toBeLessThan(0);
  const most = mostErrors(0.02, 0.95, 100_000);
  expect(most).toBe(1_926);
  const outcome = (errors: number) =>
    prove(
      [
        {
          kind: 'errors',
          name: '',
          floor: 0.98,
          minInputs: 1,
          count: { right: 100_000 - errors, count: 100_000 },
        },
      ],
      0.95,
    )[0]!.outcome;
  expect([outcome(most), outcome(most + 1)]).toEqual(['proven', 'open']);
});
