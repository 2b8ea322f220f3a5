import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { RowComparison } from '../../../src/training/equal-rows.ts';
import { random } from '../../support/random.ts';

const contentOf = (value: number | string) => createHash('md5').update(`${value}`).digest('hex');

function compare(judged: readonly number[], trained: readonly number[], most?: number) {
  const counts = new Map<string, number>();
  for (const value of judged) counts.set(contentOf(value), (counts.get(contentOf(value)) ?? 0) + 1);
  const comparison = new RowComparison(counts, most);
  for (const value of trained) comparison.add(contentOf(value));
  return comparison.finish();
}

/** Rows of as many values, small ones more often than large ones, of which a share of the evaluation's is copied. */
function drawn(seed: number, values: number, { copied = 0, judged = 200, trained = 800 } = {}) {
  const next = random(seed);
  const draw = () => Math.floor(values * next() ** 3);
  const training = Array.from({ length: trained }, draw);
  const evaluation = Array.from({ length: judged }, (_, at) =>
    at < copied * judged ? training[Math.floor(next() * trained)]! : draw(),
  );
  return [evaluation, training] as const;
}

describe('rows that two tables share', () => {
  test.each([20, 1_000, 50_000])('are no copies in tables of %d values that were drawn apart', (values) => {
    const found = Array.from({ length: 100 }, (_, seed) => compare(...drawn(seed, values)));
    expect(found.filter(({ areCopies }) => areCopies).length).toBeLessThanOrEqual(5);
    // Chance makes equal rows in each of them.
    expect(found.every(({ equal }) => equal > 0)).toBe(true);
  });

  test.each([50_000, 1_000_000_000])('are copies if a tenth of the rows of %d values is', (values) => {
    for (let seed = 0; seed < 20; seed++) {
      const [evaluation, training] = drawn(seed, values, { copied: 0.1, judged: 1_000, trained: 2_000 });
      const { areCopies, contents } = compare(evaluation, training);
      expect(areCopies).toBe(true);
      const trained = new Set(training);
      expect(evaluation.filter((row) => contents.has(contentOf(row)))).toEqual(
        evaluation.filter((row) => trained.has(row)),
      );
    }
  });

  test('are counted, and so are those that the evaluation has twice', () => {
    expect(compare([1, 1, 1, 2, 2, 3, 4], [1, 4, 5, 5, 6])).toMatchObject({
      equal: 4,
      repeated: 5,
      trained: 5,
      areCopies: false,
      contents: new Set([contentOf(1), contentOf(4)]),
    });
  });

  test('are all found, and judged alike, if only some of the contents of the training are counted', () => {
    let copies = 0;
    for (let seed = 0; seed < 20; seed++) {
      const [evaluation, training] = drawn(seed, 1_000_000_000, { copied: 0.1 });
      const { areCopies, equal, trained } = compare(evaluation, training, 400);
      expect({ equal, trained }).toEqual({
        equal: compare(evaluation, training).equal,
        trained: 800,
      });
      if (areCopies) copies += 1;
    }
    expect(copies).toBeGreaterThanOrEqual(18);
  });

  test('are none where one of them has no row', () => {
    expect(compare([1, 1], [])).toMatchObject({ areCopies: false, equal: 0 });
    expect(compare([], [1, 1])).toMatchObject({ areCopies: false, equal: 0 });
  });
});
