import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparisonOf } from '../../../src/metric/comparison.ts';
import { type Flip, flipKind, topFlips } from '../../../src/metric/flip.ts';
import { mcnemar } from '../../../src/metric/mcnemar.ts';
import {
  countPaired,
  createPairTally,
  mergePairTally,
  type PairedAnswer,
  type PairTally,
  StoredPairTally,
  toStoredPairTally,
} from '../../../src/metric/pair-tally.ts';
import { pairedChange } from '../../../src/metric/paired-change.ts';

test('McNemar’s test, exact and by its approximation', () => {
  // Figures of statsmodels 0.14: lab/oracle compares hundreds.
  expect(mcnemar(1, 7)).toEqual({ pValue: 0.0703125, exact: true });
  expect(mcnemar(12, 3).pValue).toBeCloseTo(0.03515625, 14);
  expect(mcnemar(450, 560)).toEqual({ pValue: expect.closeTo(0.0006040787698507567, 14), exact: false });
  expect(mcnemar(0, 0).pValue).toBe(1);
  expect(mcnemar(5, 5).pValue).toBe(1);
  expect(mcnemar(0, 1_000).pValue).toBeCloseTo(2 ** -999, 310);
});

test.each([
  [500, 540, 0.22653276315984072],
  [501, 501, 1],
  [480, 560, 0.014298083798964132],
  [600, 450, 4.260753572080316e-6],
  [440, 500, 0.05425069750653684],
  [499, 501, 0.9747749818216392],
  [2, 9, 0.0654296875],
  [3, 7, 0.34375],
])('of %d lost and %d gained, chance alone gives as much with p = %f', (lost, gained, p) => {
  for (const { pValue, exact } of [mcnemar(lost, gained), mcnemar(gained, lost)]) {
    expect(pValue / p).toBeCloseTo(1, 11);
    expect(exact).toBe(lost + gained <= 1_000);
  }
});

test.each([
  ['a', 'a', 'b', 'lost'],
  ['b', 'a', 'b', 'gained'],
  ['c', 'a', 'b', 'changed'],
  [null, 'a', 'b', 'changed'],
])('of the truth %s, from %s to %s is %s', (truth, before, now, kind) => {
  expect(flipKind({ truth, before, now })).toBe(kind);
});

test('of each kind the forty surest flips are shown, lost ones first', () => {
  const flip = (at: number, truth: string | null, scoreNow: number | null): Flip => ({
    key: `k${at % 7}`,
    recordIndex: at,
    truth,
    before: 'a',
    now: 'b',
    scoreBefore: null,
    scoreNow,
  });
  const many = [null, 'b', 'a'].flatMap((truth) =>
    Array.from({ length: 50 }, (_, at) => flip(at, truth, ((at * 37) % 50) / 50)),
  );
  const shown = topFlips(many);
  expect(shown.map(({ truth }) => truth)).toEqual(
    ['a', 'b', null].flatMap((truth) => Array.from({ length: 40 }, () => truth)),
  );
  expect(shown.slice(0, 40).map(({ scoreNow }) => scoreNow)).toEqual(
    Array.from({ length: 40 }, (_, at) => (49 - at) / 50),
  );
  const equal = [9, 1, 8, 2].map((at) => flip(at, 'a', null));
  expect(topFlips([...equal, flip(3, 'a', 0)]).map(({ recordIndex }) => recordIndex)).toEqual([
    3, 1, 8, 2, 9,
  ]);
});

test('pairs are the same class, or identical to the last bit; inputs and distances merge', () => {
  const tally = createPairTally('p/d/000001');
  const count = (before: PairedAnswer | undefined, now: PairedAnswer | undefined) =>
    countPaired(tally, { key: 'k', recordIndex: 0, truth: null }, before, now);
  const cat = (score: number | null) => ({ prediction: 'cat', score });
  for (const [before, now] of [
    [cat(0.5), cat(0.5)],
    [cat(null), cat(null)],
    [cat(0.5), cat(0.75)],
    [cat(0.5), cat(0.375)],
    [cat(null), cat(9)],
    [cat(9), cat(null)],
    [undefined, cat(1)],
    [cat(1), undefined],
    [undefined, undefined],
  ])
    expect(count(before, now)).toBeUndefined();
  expect(count(cat(0.5), { prediction: 'dog', score: null })).toEqual({
    key: 'k',
    recordIndex: 0,
    truth: null,
    before: 'cat',
    now: 'dog',
    scoreBefore: 0.5,
    scoreNow: null,
  });
  const counted = { answered: 7, sameClass: 6, identical: 2, onlyNow: 1, onlyBefore: 1, scoreDistance: 0.25 };
  expect(tally).toMatchObject(counted);
  tally.inputs = { paired: 1, changed: 2, added: 3 };
  const from = {
    ...toStoredPairTally(createPairTally('p/d/000001')),
    inputs: { paired: 10, changed: 20, added: 30 },
  };
  mergePairTally(tally, from);
  expect(tally).toMatchObject({ ...counted, inputs: { paired: 11, changed: 22, added: 33 } });
});

test('classes without a record of both runs have no change', () => {
  const tally = createPairTally('p/d/000001');
  tally.classes.set('a', { bothRight: 0, lost: 0, gained: 0, bothWrong: 0 });
  expect(comparisonOf(tally)).toMatchObject({ accuracy: undefined, test: undefined, classes: [] });
  tally.classes.set('b', { bothRight: 1, lost: 2, gained: 9, bothWrong: 1 });
  expect(comparisonOf(tally)).toMatchObject({
    cells: { bothRight: 1, lost: 2, gained: 9, bothWrong: 1 },
    accuracy: { records: 13 },
    test: { exact: true },
    classes: [{ name: 'b', recall: { records: 13 } }],
  });
});

test('the interval of a change, as in Fagerland, Lydersen and Laake 2014', () => {
  const { interval, change } = pairedChange({ bothRight: 1, lost: 1, gained: 7, bothWrong: 12 })!;
  expect(change).toBeCloseTo(6 / 21, 15);
  expect(interval.low).toBeCloseTo(0.0256, 4);
  expect(interval.high).toBeCloseTo(0.5069, 4);
  expect(pairedChange({ bothRight: 0, lost: 0, gained: 0, bothWrong: 0 })).toBeUndefined();
});

test.each([
  [1, 1, 7, 12, 0.02555912416485978, 0.506920226686141],
  [50, 5, 10, 35, -0.027192585921663792, 0.12588041701221026],
  [10, 40, 30, 5, -0.3002184723083, 0.07415276714696825],
  [3, 2, 2, 2, -0.3857858693591962, 0.3857858693591962],
  [10, 0, 0, 0, -0.27753279986288926, 0.27753279986288926],
])(
  'of %d, %d, %d and %d records the change is within %f and %f',
  (bothRight, lost, gained, bothWrong, low, high) => {
    const { interval } = pairedChange({ bothRight, lost, gained, bothWrong })!;
    expect([interval.low, interval.high]).toEqual([expect.closeTo(low, 12), expect.closeTo(high, 12)]);
  },
);

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

test.each<[before: string | null, now: string | null, gained: number, lost: number]>([
  ['a', null, 0, 1],
  [null, 'a', 1, 0],
  ['b', null, 0, 0],
  [null, 'b', 0, 0],
  [null, null, 0, 0],
])('no answer is a wrong one: %s before, %s now', (before, now, gained, lost) => {
  const tally = createPairTally('other');
  const answer = (prediction: string | null) => ({ prediction, score: null });
  countPaired(tally, { key: 'k', recordIndex: 0, truth: 'a', cluster: 7 }, answer(before), answer(now));
  expect(tally.unanswered).toEqual({ gained, lost, count: 1 });
  expect(comparisonOf(tally).accuracy).toBeUndefined();
  const merged = createPairTally('other');
  mergePairTally(merged, toStoredPairTally(tally));
  mergePairTally(merged, toStoredPairTally(tally));
  expect(merged.unanswered).toEqual({ gained: 2 * gained, lost: 2 * lost, count: 2 });
  expect(merged.clusters.count.get(7)).toBe(2);
});
