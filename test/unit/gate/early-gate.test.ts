import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EarlyPart, judgeEarly, nextRound, type RoundQuestion } from '../../../src/gate/early-gate.ts';
import { neededShare } from '../../../src/gate/needed-shares.ts';
import { cellAnswers, cellPairs } from '../../../src/judging/cell-counts.ts';
import { cellOf, cellsFor, DRAW_CELLS, drawOf } from '../../../src/judging/draw.ts';
import type {
  AnswerCounts,
  DrawnBatches,
  PairCounts,
  PartCounts,
} from '../../../src/judging/drawn-batches.ts';
import { exactLower } from '../../../src/metric/exact-bound.ts';
import { logChoose } from '../../../src/metric/log-gamma.ts';

const answers = (right: number, wrong: number, missing = 0, unanswered = 0, lost = 0): AnswerCounts => ({
  right,
  wrong,
  unanswered,
  lost,
  unlabeled: missing,
  missing: 0,
});
const paired = (gained: number, lost: number, same: number, missing = 0) => ({ gained, lost, same, missing });
const judge = (
  question: Omit<RoundQuestion, 'parts'> & Partial<RoundQuestion>,
  answers: readonly AnswerCounts[],
  pairs: readonly PairCounts[] = [],
  more: Partial<DrawnBatches> = {},
) => judgeEarly({ parts: [], ...question }, { answers, pairs, parts: [], ...more });
const boundOf = (answer: ReturnType<typeof judge>, kind: 'accuracy' | 'change') =>
  answer.bounds.find((bound) => bound.kind === kind)!;
const GATE = { minAccuracy: 0.9, confidence: 0.95, minInputs: 30, of: 10_000 };

describe('the accuracy that all inputs need', () => {
  test('is between the greatest number of right answers that does not prove the minimum, and the least that does', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 0.99, noNaN: true }),
        fc.integer({ min: 100, max: 1_000_000 }),
        fc.constantFrom(0.8, 0.95, 0.99),
        (minAccuracy, labeled, confidence) => {
          const right = neededShare(minAccuracy, confidence, labeled) * labeled + 0.5;
          fc.pre(right <= labeled);
          expect(exactLower(Math.round(right), labeled, confidence)).toBeGreaterThanOrEqual(
            minAccuracy - 1e-9,
          );
          expect(exactLower(Math.round(right) - 1, labeled, confidence)).toBeLessThan(minAccuracy + 1e-9);
        },
      ),
    );
  });

  test('is that of 9,050 right answers of 10,000 for 0.9 at 95 %, as SciPy has it, and above 1 where none would do', () => {
    expect(neededShare(0.9, 0.95, 10_000)).toBe(0.90495);
    expect(neededShare(1, 0.95, 10_000)).toBeGreaterThan(1);
    expect(neededShare(0.9, 0.95, 10)).toBeGreaterThan(1);
    expect(neededShare(0, 0.95, 10)).toBe(0);
  });
});

describe('a round', () => {
  test('passes, fails, or leaves the question open', () => {
    expect(judge(GATE, [answers(990, 10)]).verdict).toBe('passed');
    expect(judge(GATE, [answers(800, 200)]).verdict).toBe('failed');
    expect(judge(GATE, [answers(910, 90)]).verdict).toBeUndefined();
    expect(judge(GATE, []).verdict).toBeUndefined();
  });

  test('gives no verdict on fewer labeled inputs than gate.minInputs, however clear they are', () => {
    const clear = [answers(0, 300, 500)];
    expect(judge({ ...GATE, minInputs: 301 }, clear).verdict).toBeUndefined();
    expect(judge({ ...GATE, minInputs: 300 }, clear).verdict).toBe('failed');
  });

  test('asks of all inputs what the fewest labeled ones need that there may be', () => {
    // Half of the drawn inputs have no label: some 5,000 of the 10,000 will be judged, and surely more than 3,000.
    const { needed } = boundOf(judge(GATE, [answers(95, 5, 100)]), 'accuracy');
    expect(needed).toBeGreaterThan(neededShare(0.9, 0.95, 5_000));
    expect(needed).toBeLessThan(neededShare(0.9, 0.95, 3_000));
  });

  /** Chance that of `left` inputs which aren't drawn, of `of` with `labeled` labels, at least or at most `others` have one. */
  function chanceOf(others: number, left: number, labeled: number, of: number): number {
    const chances = Array.from({ length: left + 1 }, (_, at) =>
      at > labeled || left - at > of - labeled
        ? 0
        : Math.exp(logChoose(labeled, at) + logChoose(of - labeled, left - at) - logChoose(of, left)),
    );
    const total = (part: readonly number[]) => part.reduce((sum, chance) => sum + chance, 0);
    return Math.min(total(chances.slice(0, others + 1)), total(chances.slice(others)));
  }

  test('needs what each number of labeled inputs would need that is no rarer than 1 in 100,000', () => {
    const drawn = fc.tuple(fc.integer({ min: 100, max: 2_000 }), fc.nat(200), fc.nat(20), fc.nat(20));
    fc.assert(
      fc.property(
        drawn,
        fc.double({ min: 0.5, max: 0.99, noNaN: true }),
        ([right, wrong, missing, left], floor) => {
          const of = right + wrong + missing + left;
          const question = { ...GATE, minAccuracy: floor, of };
          const { needed, verdict } = boundOf(judge(question, [answers(right, wrong, missing)]), 'accuracy');
          for (let others = 0; others <= left; others++) {
            const labeled = right + wrong + others;
            if (chanceOf(others, left, labeled, of) < 1e-5) continue;
            const asked = neededShare(floor, 0.95, labeled);
            if (verdict === 'failed') expect(needed).toBeLessThanOrEqual(asked + 1e-12);
            else expect(needed).toBeGreaterThanOrEqual(asked - 1e-12);
          }
        },
      ),
      { examples: [[[799, 197, 0, 17], 0.7297606378882444]] },
    );
  });

  test('has bounds that the needed accuracy lies outside of where there is a verdict, and within where there is none', () => {
    const batch = fc
      .tuple(fc.nat(300), fc.nat(60), fc.nat(5), fc.nat(20))
      .map((counts) => answers(...counts));
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 4 }), (batches) => {
        const answer = judge({ ...GATE, minInputs: 1, of: 2_000 }, batches);
        const { needed, bounds, verdict } = boundOf(answer, 'accuracy');
        const { low, high } = bounds;
        if (verdict === 'passed') expect(low).toBeGreaterThanOrEqual(needed - 1e-9);
        else if (verdict === 'failed') expect(high).toBeLessThanOrEqual(needed + 1e-9);
        else {
          // How many inputs have a label isn't known: between what few and what many of them need the complete run decides.
          expect(low).toBeLessThanOrEqual(needed + 1e-9);
          expect(high).toBeGreaterThanOrEqual(0.9);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is followed by one whose size follows the evidence', () => {
    const open = judge(GATE, [answers(465, 35)]);
    const inputs = nextRound(GATE, open, { first: 200, drawn: 500 });
    const { above } = boundOf(open, 'accuracy').evidence;
    const likely = Math.ceil(1.2 * 500 * (Math.log(20) / above - 1));
    expect(above).toBeGreaterThan(0.1);
    expect(inputs).toBe(Math.max(200, Math.min(500, likely)));
  });
});

describe('inputs without an answer', () => {
  test('are wrong if they have a label, and else count against no accuracy', () => {
    // 38 % have no answer, all others are right.
    expect(judge(GATE, [answers(320, 0, 0, 180)]).verdict).toBe('failed');
    expect(judge(GATE, [answers(320, 0, 0, 0, 180)]).verdict).toBe('passed');
    expect(judge({ ...GATE, maxErrorRate: 0.1 }, [answers(320, 0, 0, 0, 180)]).verdict).toBe('failed');
  });

  test('are judged by maxErrorRate, with or without a label', () => {
    const errors = { ...GATE, minAccuracy: undefined, maxErrorRate: 0.05 };
    expect(judge(errors, [answers(300, 600, 100)]).verdict).toBe('passed');
    expect(judge(errors, [answers(300, 300, 100, 150, 150)]).verdict).toBe('failed');
    expect(judge(errors, [answers(500, 446, 0, 27, 27)]).verdict).toBeUndefined();
    const [bound] = judge(errors, [answers(300, 600, 100)]).bounds;
    expect(bound).toMatchObject({ kind: 'errors', floor: 0.95, counted: 1_000 });
  });
});

describe('a loss against another run', () => {
  const LOSS = { maxAccuracyDrop: 0.01, confidence: 0.95, minInputs: 30, of: 10_000 };
  const KEPT = paired(60, 30, 1_910);
  const LOST = paired(20, 100, 1_880);

  test('passes, fails, or is left open by the pairs that differ', () => {
    expect(judge(LOSS, [], [KEPT]).verdict).toBe('passed');
    expect(judge(LOSS, [], [LOST]).verdict).toBe('failed');
    expect(judge(LOSS, [], [paired(30, 50, 1_920)]).verdict).toBeUndefined();
    expect(judge({ ...LOSS, minInputs: 2_001 }, [], [KEPT]).verdict).toBeUndefined();
  });

  test('needs both bounds to pass and one to fail', () => {
    const both = { ...GATE, ...LOSS };
    const [good, bad, open] = [answers(1_990, 10), answers(1_600, 400), answers(1_810, 190)];
    expect(judge(both, [good], [KEPT]).verdict).toBe('passed');
    expect(judge(both, [bad], [KEPT]).verdict).toBe('failed');
    expect(judge(both, [good], [LOST]).verdict).toBe('failed');
    expect(judge(both, [open], [KEPT]).verdict).toBeUndefined();
    expect(judge(both, [bad], [paired(30, 50, 1_920)]).verdict).toBe('failed');
  });

  test('is of the inputs that both runs have: the others say neither way', () => {
    // 60 more would have to be lost than gained in 6,000 pairs, whatever the other 4,000 are.
    expect(judge(LOSS, [], [paired(0, 61, 5_939, 0)]).verdict).toBeUndefined();
    const { evidence, counted } = boundOf(judge(LOSS, [], [paired(5, 5, 90, 1_900)]), 'change');
    expect(counted).toBe(100);
    expect(Math.abs(evidence.above)).toBeLessThan(1);
  });

  test('has bounds that the allowed loss lies outside of where there is a verdict, and within where there is none', () => {
    const batch = fc.record({
      gained: fc.nat(40),
      lost: fc.nat(40),
      same: fc.nat(300),
      missing: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 4 }), (batches) => {
        const answer = judge({ ...LOSS, minInputs: 1, of: 2_000 }, [], batches);
        const { bounds, verdict } = boundOf(answer, 'change');
        const { low, high } = bounds;
        if (verdict === 'passed') expect(low).toBeGreaterThanOrEqual(-0.01 - 1e-9);
        else if (verdict === 'failed') expect(high).toBeLessThanOrEqual(-0.01 + 1e-9);
        // Between the loss that is allowed and what the complete run needs to prove it, the complete run decides.
        else expect(high).toBeGreaterThanOrEqual(-0.01 - 1e-9);
      }),
      { numRuns: 40 },
    );
  });

  test('asks for as many further inputs as the bound that is farther from a verdict', () => {
    const asked = { first: 200, drawn: 2_000 };
    const open = judge({ ...GATE, ...LOSS }, [answers(1_845, 155)], [paired(30, 50, 1_920)]);
    const alone = (kind: 'accuracy' | 'change') => nextRound(GATE, { bounds: [boundOf(open, kind)] }, asked);
    expect(boundOf(open, 'accuracy').verdict).toBeUndefined();
    expect(nextRound(GATE, open, asked)).toBe(Math.max(alone('accuracy'), alone('change')));
  });
});

describe('classes and slices', () => {
  const ofPart = (right: number, wrong: number, missing = 0, others = 0): PartCounts => ({
    right,
    wrong,
    missing,
    others,
  });
  const SHIP = { kind: 'recall', name: 'ship', floor: 0.8, minInputs: 30, of: 1_000 } as const;
  const recall = (batches: readonly PartCounts[], part: Partial<EarlyPart> = {}, more = {}) =>
    judge({ ...GATE, minAccuracy: undefined, parts: [{ ...SHIP, ...part }], ...more }, [], [], {
      parts: [batches],
    });

  test('pass, fail, or are left open by their own inputs', () => {
    expect(recall([ofPart(195, 5)]).verdict).toBe('passed');
    expect(recall([ofPart(60, 60)]).verdict).toBe('failed');
    expect(recall([ofPart(82, 18)]).verdict).toBeUndefined();
    expect(recall([]).verdict).toBeUndefined();
  });

  test('need what the complete run needs for the labels of the whole drop', () => {
    const [bound] = recall([ofPart(82, 18)]).bounds;
    expect(bound).toMatchObject({ kind: 'recall', name: 'ship', counted: 100 });
    expect(bound!.needed).toBe(neededShare(0.8, 0.95, 1_000));
    // Of a slice only the drawn inputs are known: 100 of 1,000 are of it, so that 1,000 of the 10,000 may be fewer.
    const [slice] = recall([ofPart(82, 18, 0, 900)], { kind: 'slice', of: undefined }).bounds;
    expect(slice!.needed).toBeGreaterThan(neededShare(0.8, 0.95, 1_000));
    expect(slice!.needed).toBeLessThan(neededShare(0.8, 0.95, 500));
  });

  test('with fewer inputs than they need never pass, however many rounds there are', () => {
    for (const of of [0, 3, 29]) {
      const answer = recall(of === 3 ? [ofPart(1, 0)] : [], { of });
      expect(answer).toMatchObject({ verdict: 'failed', bounds: [{ bounds: { high: 1 } }] });
    }
    expect(recall([], { of: 30 }).verdict).toBeUndefined();
  });

  test('that lose inputs while the run goes on need what the rest would', () => {
    const needed = (missing: number) => recall([ofPart(82, 18, missing)]).bounds[0]!.needed;
    expect(needed(20)).toBeGreaterThan(needed(0));
  });

  test('decide along with the other bounds', () => {
    const both = (right: number) =>
      judge({ ...GATE, parts: [SHIP] }, [answers(1_900, 60)], [], { parts: [[ofPart(right, 200 - right)]] });
    expect(both(196).verdict).toBe('passed');
    expect(both(166).verdict).toBeUndefined();
    expect(both(100).verdict).toBe('failed');
  });
});

describe('inputs in groups', () => {
  test('pass only if a record for each group would prove the bound, and fail as single ones do', () => {
    const drawn = [answers(1_880, 120)];
    const of = { ...GATE, of: 10_000 };
    expect(judge(of, drawn).verdict).toBe('passed');
    expect(judge(of, drawn, [], { worth: 200 }).verdict).toBeUndefined();
    expect(judge(of, drawn, [], { worth: 1_500 }).verdict).toBe('passed');
    expect(judge(of, [answers(1_700, 300)], [], { worth: 200 }).verdict).toBe('failed');
  });

  test('of one group prove nothing', () => {
    expect(judge(GATE, [answers(3_000, 0)], [], { worth: 1 }).verdict).toBeUndefined();
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
          const answers = cellAnswers();
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

  test('count pairs as they count answers', () => {
    const pairs = cellPairs();
    pairs.add(7, 'lost');
    pairs.add(2, 'missing');
    pairs.add(7, 'same');
    expect(pairs.store()).toEqual([
      [2, 0, 0, 0, 1],
      [7, 0, 1, 1, 0],
    ]);
    expect(pairs.batches(7)).toEqual([paired(0, 0, 0, 1)]);
  });
});
