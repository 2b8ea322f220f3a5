import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClusterSums } from '../../../src/judging/cluster-sums.ts';
import { drawOf } from '../../../src/judging/draw.ts';
import {
  DimensionTally,
  FIRST_VALUE,
  MAX_VALUES,
  OTHER,
  SliceTally,
} from '../../../src/slice/slice-tally.ts';

test('counts right answers by value, and records without one apart', () => {
  const tally = new DimensionTally('site');
  tally.add('B', true);
  tally.add('A', false);
  tally.add('B', false);
  tally.add('B', undefined);
  tally.add(null, true);
  expect(tally.store()).toEqual({
    values: [
      ['A', 0, 1, 0],
      ['B', 1, 2, 1],
    ],
    none: { right: 1, count: 1, missed: 0 },
    other: { right: 0, count: 0, missed: 0 },
  });
});

type Outcome = readonly [value: string | null, isRight: boolean | undefined];

const NAMED = ['v7', 'v1999'];

const whole = (outcomes: readonly Outcome[]) => {
  const tally = new DimensionTally('site', NAMED);
  for (const [value, isRight] of outcomes) tally.add(value, isRight);
  return tally.store();
};

/** The tally by its definition: the named values, of the others those with the 1,000 smallest lots, and the rest. */
function defined(outcomes: readonly Outcome[]) {
  const nothing = { right: 0, count: 0, missed: 0 };
  const sums = new Map<string | null, typeof nothing>();
  for (const [value, isRight] of outcomes) {
    const own = sums.get(value) ?? { ...nothing };
    sums.set(value, own);
    if (isRight === undefined) own.missed++;
    else own.count++;
    if (isRight) own.right++;
  }
  const draw = drawOf('site');
  const lots = [...sums.keys()].filter((value) => value !== null && !NAMED.includes(value)) as string[];
  const kept = new Set([...NAMED, ...lots.sort((a, b) => draw(a) - draw(b)).slice(0, MAX_VALUES)]);
  const other = { ...nothing };
  const values: [string, number, number, number][] = [];
  for (const [value, { right, count, missed }] of sums) {
    if (value === null) continue;
    if (kept.has(value)) values.push([value, right, count, missed]);
    else {
      other.right += right;
      other.count += count;
      other.missed += missed;
    }
  }
  values.sort(([a], [b]) => (a < b ? -1 : 1));
  return { values, none: sums.get(null) ?? nothing, other };
}

/** Up to 5,000 outcomes of up to 4,000 values, fifty times as many as would fit by chance alone. */
const outcomes = fc
  .record({ seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }), length: fc.integer({ min: 0, max: 5_000 }) })
  .map(({ seed, length }) => {
    let state = seed;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    return Array.from({ length }, (): Outcome => {
      const value = next() < 0.02 ? null : `v${Math.floor(next() * 4_000)}`;
      const luck = next();
      return [value, luck < 0.1 ? undefined : luck < 0.8];
    });
  });

describe('a dimension of any number of values', () => {
  test('holds the named ones and a thousand chosen by lot, whatever the order', () => {
    fc.assert(
      fc.property(outcomes, (some) => {
        expect(whole(some)).toEqual(defined(some));
        expect(whole(some.toReversed())).toEqual(defined(some));
      }),
      { numRuns: 8 },
    );
  });

  test('merges to the same in any order and grouping', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 1, max: 7 }), fc.boolean(), (some, parts, isReversed) => {
        const stored = Array.from({ length: parts }, (_, part) =>
          whole(some.filter((__, at) => at % parts === part)),
        );
        if (isReversed) stored.reverse();
        const left = new DimensionTally('site', NAMED);
        for (const part of stored) left.merge(part);
        // Grouped from the right: each pair is stored before it is merged with the one before it.
        const right = stored.reduceRight((later, part) => {
          const pair = new DimensionTally('site', NAMED);
          pair.merge(part);
          pair.merge(later);
          return pair.store();
        }, whole([]));
        expect(left.store()).toEqual(defined(some));
        expect(right).toEqual(defined(some));
      }),
      { numRuns: 8 },
    );
  });

  test('is bounded, and loses no record', () => {
    const { values, other } = whole(
      Array.from({ length: 20_000 }, (_, at): Outcome => [`v${at}`, at % 2 === 0]),
    );
    expect(values).toHaveLength(MAX_VALUES + NAMED.length);
    expect(values.reduce((sum, [, , count]) => sum + count, other.count)).toBe(20_000);
  });
});

describe('sums by cluster', () => {
  const clustered = (outcomes: readonly Outcome[]) => {
    const tally = new DimensionTally('site', NAMED, true);
    for (const [at, [value, isRight]] of outcomes.entries()) tally.add(value, isRight, at % 40);
    return tally;
  };

  test('merge to those of the whole, with those of values that were given up', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 1, max: 5 }), (some, parts) => {
        const merged = new DimensionTally('site', NAMED, true);
        for (let part = 0; part < parts; part++) {
          const tally = new DimensionTally('site', NAMED, true);
          for (const [at, [value, isRight]] of some.entries())
            if (at % parts === part) tally.add(value, isRight, at % 40);
          merged.merge(part % 2 === 0 ? tally.store() : tally.storePart());
        }
        expect(merged.store()).toEqual(clustered(some).store());
      }),
      { numRuns: 8 },
    );
  });

  test('count each record of its slice once', () => {
    const many = Array.from({ length: 6_000 }, (_, at): Outcome => [`v${at % 3_000}`, at % 3 === 0]);
    const { values, other, clusters } = clustered(many).store();
    const sums = new ClusterSums();
    sums.merge(clusters!, (part) => part);
    const countOf = (part: number) => {
      const all = [...sums.part(part)!.values()];
      return [all.reduce((sum, { right }) => sum + right, 0), all.reduce((sum, { count }) => sum + count, 0)];
    };
    expect(countOf(OTHER)).toEqual([other.right, other.count]);
    for (const [at, [, right, count]] of values.entries())
      expect(countOf(FIRST_VALUE + at)).toEqual([right, count]);
  });
});

test('dimensions are counted side by side, and a tally of other dimensions is refused', () => {
  const tally = new SliceTally(['site', 'light'], new Map());
  tally.add(['A', null], true);
  const [site, light] = tally.store();
  expect(site?.values).toEqual([['A', 1, 1, 0]]);
  expect(light?.none).toEqual({ right: 1, count: 1, missed: 0 });
  expect(() => tally.merge([])).toThrow('must have 2 dimensions, has 0');
});
