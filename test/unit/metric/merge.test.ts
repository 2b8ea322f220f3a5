import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { type Metrics, metricsOf } from '../../../src/metric/metrics.ts';
import { mergeStored, StoredTally, toStoredTally } from '../../../src/metric/stored-tally.ts';
import { createTally, type Tally } from '../../../src/metric/tally.ts';
import { reportClasses } from '../../../src/report/report-classes.ts';
import { asAnswered } from '../../support/as-answered.ts';

const LISTED = ['a', 'b', 'c', 'd'];
const TRUTHS = [...LISTED, 'stranger', 'other stranger', undefined];

interface Drawn {
  readonly key: string;
  readonly truth: string | undefined;
  readonly weights: readonly number[];
  readonly kind: 'scores' | 'label' | 'error';
}

const drawn = fc.record({
  key: fc.string({ maxLength: 6 }),
  truth: fc.constantFrom(...TRUTHS),
  weights: fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
  kind: fc.constantFrom<Drawn['kind'][]>('scores', 'scores', 'scores', 'label', 'error'),
});

function add(tally: Tally, { key, truth, weights, kind }: Drawn): void {
  tally.inputs++;
  if (kind === 'error') {
    countError(tally, 'model-error');
    return;
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const prediction =
    kind === 'scores'
      ? { scores: weights.map((weight) => weight / total) }
      : { label: Math.floor(weights[0]! * 6) };
  const id = truth === undefined ? undefined : tally.classes.add(truth);
  countOutcome(tally, {
    key,
    recordIndex: 0,
    truth: id,
    ...resolvePrediction(prediction, tally.classes, asAnswered()),
  });
}

const empty = () => createTally(new ClassList(LISTED), 0);
const folded = (outcomes: readonly Drawn[]) => {
  const tally = empty();
  for (const outcome of outcomes) add(tally, outcome);
  return tally;
};
/** Through the bucket and back. */
const stored = (tally: Tally) => StoredTally.parse(JSON.parse(JSON.stringify(toStoredTally(tally))));

function numbersOf(metrics: Metrics): number[] {
  return [
    metrics.logLoss,
    metrics.brier,
    metrics.calibration?.expectedError,
    metrics.meanConfidence.right,
    metrics.meanConfidence.wrong,
  ].map((value) => value ?? -1);
}

test('any partition merged in any order gives the same counts, and sums within 1e-12', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(drawn, fc.integer({ min: 0, max: 4 }), fc.integer()), { maxLength: 80 }),
      fc.boolean(),
      (draws, nested) => {
        const parts = draws.map(
          ([outcome, shard, order], at) =>
            [{ ...outcome, key: `${outcome.key}${at}` }, shard, order] as const,
        );
        const whole = folded(parts.map(([outcome]) => outcome));
        const shards = [0, 1, 2, 3, 4]
          .map((shard) => parts.filter(([, place]) => place === shard))
          .sort((a, b) => (a[0]?.[2] ?? 0) - (b[0]?.[2] ?? 0))
          .map((part) => stored(folded(part.map(([outcome]) => outcome))));
        const merged = empty();
        if (nested) {
          const half = empty();
          for (const shard of shards.slice(0, 3)) mergeStored(half, shard);
          for (const shard of shards.slice(3)) mergeStored(merged, shard);
          mergeStored(merged, stored(half));
        } else {
          for (const shard of shards) mergeStored(merged, shard);
        }
        const [one, many] = [metricsOf(whole, [1, 2]), metricsOf(merged, [1, 2])];
        // By name: ids of unlisted labels depend on the order in which they were met.
        expect(reportClasses(merged, many)).toEqual(reportClasses(whole, one));
        const {
          classes: _a,
          logLoss: _b,
          brier: _c,
          calibration: _d,
          meanConfidence: _e,
          averages: _f,
          agreement: _g,
          ...counts
        } = one;
        expect(many).toMatchObject(counts);
        for (const [at, value] of numbersOf(one).entries()) {
          expect(Math.abs(value - numbersOf(many)[at]!)).toBeLessThanOrEqual(
            1e-12 * Math.max(1, Math.abs(value)),
          );
        }
        expect(merged.mistakes).toEqual(whole.mistakes);
      },
    ),
    { numRuns: 300 },
  );
});

test('the matrix adds up to the records, its trace to the accuracy, and top-1 is the accuracy', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 60 }), (outcomes) => {
      const tally = folded(
        outcomes.map((outcome) => ({ ...outcome, kind: outcome.kind === 'label' ? 'scores' : outcome.kind })),
      );
      const metrics = metricsOf(tally, [1, 4]);
      const { confusion } = reportClasses(tally, metrics);
      const total = confusion.reduce((sum, [, , count]) => sum + count, 0);
      const trace = confusion
        .filter(([truth, predicted]) => truth === predicted)
        .reduce((sum, [, , count]) => sum + count, 0);
      expect(total).toBe(metrics.labeled);
      expect(trace).toBe(metrics.correct);
      expect(metrics.accuracy).toBe(total === 0 ? undefined : trace / total);
      expect(metrics.topK[0]?.accuracy).toBe(metrics.accuracy);
      expect(metrics.predicted + [...metrics.errors.values()].reduce((sum, count) => sum + count, 0)).toBe(
        metrics.inputs,
      );
    }),
  );
});

test('tallies of other classes do not merge', () => {
  const other = createTally(new ClassList(['a', 'b']), 0);
  expect(() => mergeStored(empty(), toStoredTally(other))).toThrow('Cannot merge tallies of 4 and 2 classes');
});
