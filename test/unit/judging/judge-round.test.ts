import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CellAnswers } from '../../../src/judging/cell-answers.ts';
import { cellOf, cellsFor, DRAW_CELLS, drawOf } from '../../../src/judging/draw.ts';
import { judgeRound, neededAccuracy, nextRound, roundBounds } from '../../../src/judging/judge-round.ts';
import { wilsonLowerBound } from '../../../src/metric/wilson-interval.ts';

const answers = (right: number, wrong: number, missing = 0) => ({ right, wrong, missing });
const GATE = { minAccuracy: 0.9, confidence: 0.95, minInputs: 30, of: 10_000 };

describe('the accuracy that all inputs need', () => {
  test('is the least share whose Wilson bound reaches the minimum', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 0.99, noNaN: true }),
        fc.integer({ min: 100, max: 1_000_000 }),
        fc.constantFrom(0.8, 0.95, 0.99),
        (minAccuracy, labelled, confidence) => {
          const needed = neededAccuracy(minAccuracy, confidence, labelled);
          fc.pre(needed < 1);
          const proven = wilsonLowerBound(needed * labelled, labelled, confidence)!;
          expect(proven).toBeCloseTo(minAccuracy, 9);
        },
      ),
    );
  });

  test('by hand: 0.9 + 1.644854 · √(0.9 · 0.1 / 10,000)', () => {
    expect(neededAccuracy(0.9, 0.95, 10_000)).toBeCloseTo(0.904934561, 9);
    expect(neededAccuracy(1, 0.95, 10_000)).toBe(1);
    expect(neededAccuracy(0.9, 0.95, 10)).toBe(1);
    expect(neededAccuracy(0.9, 0.95, 0)).toBe(1);
  });
});

describe('a round', () => {
  test('passes, fails, or leaves the question open', () => {
    expect(judgeRound(GATE, [answers(990, 10)]).verdict).toBe('passed');
    expect(judgeRound(GATE, [answers(800, 200)]).verdict).toBe('failed');
    expect(judgeRound(GATE, [answers(910, 90)]).verdict).toBeUndefined();
    expect(judgeRound(GATE, []).verdict).toBeUndefined();
  });

  test('gives no verdict on fewer labelled inputs than gate.minInputs, however clear they are', () => {
    const clear = [answers(0, 300, 500)];
    expect(judgeRound({ ...GATE, minInputs: 301 }, clear).verdict).toBeUndefined();
    expect(judgeRound({ ...GATE, minInputs: 300 }, clear).verdict).toBe('failed');
  });

  test('asks of all inputs no more labelled ones than there will be', () => {
    // Half of the drawn inputs have no label: 5,000 of the 10,000 will be judged.
    const { needed } = judgeRound(GATE, [answers(95, 5, 100)]);
    expect(needed).toBe(neededAccuracy(0.9, 0.95, 5_000));
  });

  test('has bounds that the needed accuracy lies outside of where there is a verdict, and within where there is none', () => {
    const batch = fc.record({ right: fc.nat(300), wrong: fc.nat(60), missing: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 4 }), (batches) => {
        const { verdict, needed } = judgeRound({ ...GATE, minInputs: 1, of: 2_000 }, batches);
        const { low, high } = roundBounds(0.95, 2_000, batches);
        if (verdict === 'passed') expect(low).toBeGreaterThanOrEqual(needed - 1e-9);
        else if (verdict === 'failed') expect(high).toBeLessThanOrEqual(needed + 1e-9);
        else if (needed < 1) {
          expect(low).toBeLessThanOrEqual(needed + 1e-9);
          expect(high).toBeGreaterThanOrEqual(needed - 1e-9);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is followed by one whose size follows the evidence', () => {
    const open = judgeRound(GATE, [answers(465, 35)]);
    const inputs = nextRound(GATE, open, { first: 200, drawn: 500 });
    const likely = Math.ceil(1.2 * 500 * (Math.log(40) / open.evidence.above - 1));
    expect(open.evidence.above).toBeGreaterThan(0.1);
    expect(inputs).toBe(Math.max(200, Math.min(500, likely)));
  });
});

describe('cells of the lottery', () => {
  test('hold about as many inputs as are asked for', () => {
    expect(cellsFor(500, 10_000)).toBe(50);
    expect(cellsFor(501, 10_000)).toBe(51);
    expect(cellsFor(1, 1_000_000)).toBe(1);
    expect(cellsFor(70_000, 10_000)).toBe(DRAW_CELLS);
    const draw = drawOf('seed');
    const cells = Array.from({ length: 20_000 }, (_, at) => cellOf(draw(`${at}.png`)));
    expect(Math.min(...cells)).toBe(0);
    expect(Math.max(...cells)).toBe(DRAW_CELLS - 1);
    const within = cells.filter((cell) => cell < 50).length;
    // 1,000 on average; four standard deviations.
    expect(Math.abs(within - 1_000)).toBeLessThan(125);
  });

  test('have the same answers in whatever order and shards they are counted', () => {
    const counted = fc.tuple(fc.nat(20), fc.constantFrom('right', 'wrong', 'missing' as const));
    fc.assert(
      fc.property(fc.array(counted), fc.array(counted), (a, b) => {
        const count = (all: typeof a) => {
          const answers = new CellAnswers();
          for (const [cell, answer] of all) answers.add(cell, answer);
          return answers;
        };
        const merged = count([]);
        merged.merge(count(b).store());
        merged.merge(count(a).store());
        expect(merged.store()).toEqual(count([...a, ...b]).store());
        expect(merged.batches(3)).toEqual(count([...a, ...b].filter(([cell]) => cell < 3)).batches());
      }),
    );
  });
});
