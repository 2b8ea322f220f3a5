import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparisonOf } from '../../../src/metric/comparison.ts';
import { type Flip, flipKind, topFlips } from '../../../src/metric/flip.ts';
import { mcnemar } from '../../../src/metric/mcnemar.ts';
import {
  countPaired,
  createPairTally,
  mergePairTally,
  type PairTally,
  StoredPairTally,
  toStoredPairTally,
} from '../../../src/metric/pair-tally.ts';
import { pairedChange } from '../../../src/metric/paired-change.ts';

test('McNemar’s test, exact and by its approximation', () => {
  // Figures of statsmodels 0.14: test/oracle compares hundreds.
  expect(mcnemar(1, 7)).toEqual({ pValue: 0.0703125, exact: true });
  expect(mcnemar(12, 3).pValue).toBeCloseTo(0.03515625, 14);
  expect(mcnemar(450, 560)).toEqual({ pValue: expect.closeTo(0.0006040787698507567, 14), exact: false });
  expect(mcnemar(0, 0).pValue).toBe(1);
  expect(mcnemar(5, 5).pValue).toBe(1);
  expect(mcnemar(0, 1_000).pValue).toBeCloseTo(2 ** -999, 310);
});

test('the interval of a change, as in Fagerland, Lydersen and Laake 2014', () => {
  const { interval, change } = pairedChange({ bothRight: 1, lost: 1, gained: 7, bothWrong: 12 })!;
  expect(change).toBeCloseTo(6 / 21, 15);
  expect(interval.low).toBeCloseTo(0.0256, 4);
  expect(interval.high).toBeCloseTo(0.5069, 4);
  expect(pairedChange({ bothRight: 0, lost: 0, gained: 0, bothWrong: 0 })).toBeUndefined();
});

const answer = fc.constantFrom('a', 'b', 'c', null);
const drawn = fc.record({
  truth: fc.constantFrom('a', 'b', null),
  before: answer,
  now: answer,
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  shard: fc.integer({ min: 0, max: 3 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function fold(records: readonly (Drawn & { key: string })[]): { tally: PairTally; flips: Flip[] } {
  const tally = createPairTally('p/d/000001');
  const flips = records.flatMap(({ key, truth, before, now, score }) => {
    const record = { key, recordIndex: 0, truth };
    return countPaired(tally, record, { prediction: before, score }, { prediction: now, score }) ?? [];
  });
  return { tally, flips };
}

test('pairs merged from any shards give what one shard gives, and everything adds up', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 60 }), (draws) => {
      const records = draws.map((record, at) => ({ ...record, key: `k${at}` }));
      const whole = fold(records);
      const merged = createPairTally('p/d/000001');
      let flips: Flip[] = [];
      for (const shard of [3, 1, 0, 2]) {
        const part = fold(records.filter((record) => record.shard === shard));
        mergePairTally(
          merged,
          StoredPairTally.parse(JSON.parse(JSON.stringify(toStoredPairTally(part.tally)))),
        );
        flips = topFlips([...flips, ...topFlips(part.flips)]);
      }
      const sorted = ({ classes, ...rest }: PairTally) => ({ ...rest, classes: [...classes].sort() });
      expect(sorted(merged)).toEqual(sorted(whole.tally));
      expect(flips).toEqual(topFlips(whole.flips));

      const { answered, sameClass, onlyNow, onlyBefore } = merged;
      const { cells, classes } = comparisonOf(merged);
      expect(answered - sameClass).toBe(whole.flips.length);
      expect(cells.lost).toBe(whole.flips.filter((flip) => flipKind(flip) === 'lost').length);
      expect(cells.gained).toBe(whole.flips.filter((flip) => flipKind(flip) === 'gained').length);
      const known = records.filter(
        ({ truth, before, now }) => truth !== null && before !== null && now !== null,
      );
      expect(cells.bothRight + cells.lost + cells.gained + cells.bothWrong).toBe(known.length);
      expect(classes.reduce((sum, each) => sum + each.recall.records, 0)).toBe(known.length);
      const neither = records.filter(({ before, now }) => before === null && now === null).length;
      expect(answered + onlyNow + onlyBefore + neither).toBe(records.length);
    }),
  );
});
