import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DrawnValues, evidenceOf, meanBounds, suffices } from '../../../src/judging/bets.ts';
import { nextRoundInputs } from '../../../src/judging/next-round.ts';

const answers = (right: number, wrong: number, missing = 0) => ({ right, wrong, missing });
/** Evidence on "so large a share of the answers of `total` inputs is right". */
const accuracyEvidence = (share: number, total: number, batches: readonly ReturnType<typeof answers>[]) =>
  evidenceOf(
    { mean: 0, low: -share, high: 1 - share, total },
    batches.map(({ right, wrong, missing }): DrawnValues => [
      [1 - share, right],
      [-share, wrong],
      [0, missing],
    ]),
  );

describe('bets', () => {
  test('one value above the asked mean wins the mean of all bets', () => {
    const { above, below } = evidenceOf({ mean: 0.5, low: 0, high: 1, total: 1e9 }, [[[1, 1]]]);
    const bets = Array.from({ length: 24 }, (_, at) => 0.9 / 1.35 ** at);
    const mean = bets.reduce((sum, bet) => sum + bet, 0) / 24;
    expect(above).toBeCloseTo(Math.log(1 + mean), 6);
    expect(below).toBeCloseTo(Math.log(1 - mean), 6);
  });

  test('a mean that the drawn values alone refute is refuted for certain', () => {
    expect(accuracyEvidence(0.9, 100, [answers(91, 0), answers(1, 0)]).above).toBe(Infinity);
    expect(accuracyEvidence(0.9, 100, [answers(0, 11), answers(1, 0)]).below).toBe(Infinity);
  });

  test('a gate that can still be reached exactly is not failed', () => {
    const { below } = accuracyEvidence(0.9, 100, [answers(0, 10), answers(30, 0), answers(59, 0)]);
    expect(below).toBeLessThan(Infinity);
    expect(accuracyEvidence(0.9, 100, [answers(0, 10), answers(30, 0), answers(0, 1)]).below).toBe(Infinity);
  });

  test('a batch without answers changes nothing, missing answers are no surplus', () => {
    const one = accuracyEvidence(0.9, 1000, [answers(95, 5)]);
    expect(accuracyEvidence(0.9, 1000, [answers(95, 5), answers(0, 0)])).toEqual(one);
    expect(accuracyEvidence(0.9, 1000, [answers(0, 0, 50), answers(95, 5)]).above).toBeGreaterThan(0);
  });

  test('evidence suffices from 1 / alpha on', () => {
    expect(suffices(Math.log(100), 0.01)).toBe(true);
    expect(suffices(4.6, 0.01)).toBe(false);
  });

  test('bounds hold the share, and never contradict the verdict', () => {
    const batch = fc.record({ right: fc.nat(300), wrong: fc.nat(40), missing: fc.nat(5) });
    fc.assert(
      fc.property(
        fc.array(batch, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(0.8, 0.9),
        (batches, gate) => {
          const right = batches.reduce((sum, each) => sum + each.right, 0);
          const wrong = batches.reduce((sum, each) => sum + each.wrong, 0);
          const ask = (share: number) => accuracyEvidence(share, 2000, batches);
          const alpha = { low: 0.01, high: 0.005 };
          const { low, high } = meanBounds(ask, { low: 0, high: 1 }, alpha);
          const isAbove = suffices(ask(gate).above, alpha.low);
          const isBelow = suffices(ask(gate).below, alpha.high);
          if (right + wrong > 0) {
            expect(low).toBeLessThanOrEqual(right / (right + wrong) + 1e-9);
            expect(high).toBeGreaterThanOrEqual(right / (right + wrong) - 1e-9);
          }
          expect(isAbove ? low : gate).toBeGreaterThanOrEqual(gate - 1e-9);
          expect(isAbove ? gate : low).toBeLessThanOrEqual(gate + 1e-9);
          expect(isBelow ? high : gate).toBeLessThanOrEqual(gate + 1e-9);
          expect(isBelow ? gate : high).toBeGreaterThanOrEqual(gate - 1e-9);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the next round', () => {
  const asked = { first: 2000, total: 100_000, alpha: 0.01 };
  const evidence = (above: number) => ({ above, below: -1 });

  test('begins with the first, and follows the evidence', () => {
    expect(nextRoundInputs(evidence(0), { ...asked, drawn: 0 })).toBe(2000);
    // Two thirds of the evidence are there: half as many inputs again, and a fifth more.
    expect(nextRoundInputs(evidence((2 / 3) * Math.log(100)), { ...asked, drawn: 10_000 })).toBe(6000);
  });

  test('is never less than the first, more than was drawn, or more than is left', () => {
    expect(nextRoundInputs(evidence(4.6), { ...asked, drawn: 10_000 })).toBe(2000);
    expect(nextRoundInputs(evidence(0), { ...asked, drawn: 10_000 })).toBe(10_000);
    expect(nextRoundInputs(evidence(0), { ...asked, drawn: 99_500 })).toBe(500);
  });
});
