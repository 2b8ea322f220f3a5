import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabelSums } from '../../../src/judging/label-sums.ts';
import { type ClassScore, normalizedMargin, suspicion } from '../../../src/judging/suspect-label.ts';

describe('thresholds', () => {
  test('are the mean scores of the labels; a class without records is never reached', () => {
    const sums = new LabelSums();
    sums.add(0, 0.75);
    sums.add(0, 0.5);
    sums.add(1, 0);
    expect([...sums.thresholds(3)]).toEqual([0.625, 2e-6, 2]);
  });

  test('are the same for any partition, merged in any order', () => {
    const records = fc.array(
      fc.tuple(fc.nat(4), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.integer()),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(records, fc.boolean(), (drawn, nested) => {
        const whole = new LabelSums();
        for (const [label, score] of drawn) whole.add(label, score);
        const shards = [0, 1, 2, 3]
          .map((shard) => drawn.filter(([, , place]) => place === shard))
          .sort((a, b) => (a[0]?.[3] ?? 0) - (b[0]?.[3] ?? 0))
          .map((part) => {
            const sums = new LabelSums();
            for (const [label, score] of part) sums.add(label, score);
            return sums.store();
          });
        const merged = new LabelSums();
        const half = new LabelSums();
        for (const [at, shard] of shards.entries()) (nested && at < 2 ? half : merged).merge(shard);
        merged.merge(half.store());
        expect(merged.thresholds(5)).toEqual(whole.thresholds(5));
        expect(merged.store().records).toBe(whole.store().records);
      }),
    );
  });
});

describe('a mistake', () => {
  const isSuspect = suspicion([0.9, 0.6, 0.5, 2]);
  const record = (label: number, labelScore: number, ...best: ClassScore[]) => ({ label, labelScore, best });

  test('is suspect where another class reaches its threshold', () => {
    expect(isSuspect(record(0, 0.3, [1, 0.6], [0, 0.3], [2, 0.1], [3, 0]))).toBe(true);
    expect(isSuspect(record(0, 0.3, [1, 0.5999995], [0, 0.3], [2, 0.1], [3, 0]))).toBe(true);
    expect(isSuspect(record(0, 0.3, [1, 0.59], [0, 0.3], [2, 0.11], [3, 0]))).toBe(false);
  });

  test('is suspect by a class that the model does not mean, too', () => {
    expect(isSuspect(record(3, 0, [0, 0.5], [2, 0.5], [1, 0], [3, 0]))).toBe(true);
  });

  test('is none where the label has the higher score, or is less than a millionth behind', () => {
    expect(isSuspect(record(0, 0.4, [0, 0.4], [2, 0.4], [1, 0.2]))).toBe(false);
    expect(isSuspect(record(2, 0.4999995, [0, 0.5], [2, 0.4999995], [1, 0]))).toBe(false);
  });

  test('is undecided where a class that is left out could reach its threshold', () => {
    const rare = suspicion([0.9, 0.9, 0.9, 0.05]);
    expect(rare(record(1, 0.1, [0, 0.5], [2, 0.3]))).toBeUndefined();
    expect(rare(record(1, 0.01, [0, 0.94], [2, 0.03]))).toBe(true);
    expect(rare(record(1, 0.13, [0, 0.83], [2, 0.03]))).toBe(false);
    expect(rare(record(3, 0.13, [0, 0.54], [2, 0.3]))).toBe(false);
  });

  test('is ranked by how far its label is behind', () => {
    expect(normalizedMargin(record(1, 0.25, [0, 0.75], [1, 0.25]))).toBe(0.25);
    expect(normalizedMargin(record(1, 0.5, [1, 0.5], [0, 0.5]))).toBe(0.5);
  });

  test('is decided as all scores decide it, or not at all', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(scores, scores, fc.nat(6), (drawn, bounds, label) => {
        const judge = suspicion(bounds.map((bound) => bound / 8));
        const all = drawn
          .map((score, index): ClassScore => [index, score / 8])
          .sort(([a, x], [b, y]) => y - x || a - b);
        const labelScore = (drawn[label] ?? 0) / 8;
        const whole = judge({ label, labelScore, best: all });
        const five = judge({ label, labelScore, best: all.slice(0, 5) });
        expect(whole).toBeDefined();
        expect([whole, undefined]).toContain(five);
      }),
    );
  });
});
