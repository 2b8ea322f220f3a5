import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { createTally } from '../../../src/metric/tally.ts';
import type { Prediction } from '../../../src/prediction/prediction.ts';
import { asAnswered } from '../../support/as-answered.ts';

function tallyOf(outcomes: readonly [truth: string | undefined, prediction: Prediction][], offset = 0) {
  const classes = new ClassList(['cat', 'dog', 'bird']);
  const tally = createTally(classes, offset);
  for (const [truth, prediction] of outcomes) {
    tally.inputs++;
    const id = truth === undefined ? undefined : classes.resolve(truth);
    countOutcome(tally, {
      key: 'k',
      recordIndex: 0,
      truth: id,
      ...resolvePrediction(prediction, classes, asAnswered(offset)),
    });
  }
  return tally;
}

test('a label that only the truth knows lowers accuracy and stays visible', () => {
  const tally = tallyOf([
    ['cat', { label: 0 }],
    ['fish', { label: 0 }],
  ]);
  const metrics = metricsOf(tally, [1]);
  expect(metrics.accuracy).toBe(0.5);
  expect(tally.classes.names).toEqual(['cat', 'dog', 'bird', 'fish']);
  expect(metrics.classes[3]).toMatchObject({ support: 1, predicted: 0, precision: undefined, recall: 0 });
});

test('an index outside the list becomes a class of its own', () => {
  const tally = tallyOf([['cat', { label: 0 }]], -1);
  expect(tally.classes.names).toEqual(['cat', 'dog', 'bird', '#-1']);
  expect(metricsOf(tally, [1]).accuracy).toBe(0);
});

test('without truth there are no quality figures, and it is said', () => {
  const metrics = metricsOf(tallyOf([[undefined, { scores: [0.2, 0.7, 0.1] }]]), [1]);
  expect(metrics.accuracy).toBeUndefined();
  expect(metrics.topK).toEqual([]);
  expect(metrics.absent).toEqual(['No input has a known truth, so there are no quality figures.']);
});

test('one output without probabilities leaves log loss out instead of averaging the others', () => {
  const metrics = metricsOf(
    tallyOf([
      ['cat', { scores: [0.8, 0.1, 0.1] }],
      ['dog', { label: 1 }],
    ]),
    [1],
  );
  expect(metrics.logLoss).toBeUndefined();
  expect(metrics.topK).toEqual([]);
  expect(metrics.absent.join(' ')).toContain('only 1 of 2 outputs have');
});

test('logits rank but are no probabilities', () => {
  const metrics = metricsOf(tallyOf([['dog', { scores: [4, 3, -2] }]]), [1, 2]);
  expect(metrics.topK.map(({ accuracy }) => accuracy)).toEqual([0, 1]);
  expect(metrics.calibration).toBeUndefined();
  expect(metrics.logLoss).toBeUndefined();
});

test('files that changed meanwhile are not the model’s errors', () => {
  const tally = tallyOf([['cat', { label: 0 }]]);
  for (const reason of ['superseded', 'deleted', 'model-error']) countError(tally, reason);
  expect(metricsOf(tally, [1]).errorRate).toBe(0.5);
});

test('an impossible truth costs as much as in scikit-learn, not infinitely', () => {
  expect(metricsOf(tallyOf([['bird', { scores: [1, 0, 0] }]]), [1]).logLoss).toBeCloseTo(
    36.04365338911715,
    12,
  );
});
