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
    const id = truth === undefined ? undefined : classes.add(truth);
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

test.each([
  [99, 1, true],
  [98, 2, false],
])(
  'with %d outputs that have probabilities and %d that lack them, figures are of the former: %s',
  (full, bare, isKept) => {
    const scores = [0.8, 0.1, 0.1];
    const outcomes = [
      ...Array.from({ length: full }, () => ['cat', { scores }] as [string, Prediction]),
      ...Array.from({ length: bare }, () => ['dog', { label: 1 }] as [string, Prediction]),
    ];
    const { logLoss, brier, topK, calibration, absent } = metricsOf(tallyOf(outcomes), [1]);
    expect(logLoss).toEqual(isKept ? expect.closeTo(-Math.log(0.8), 9) : undefined);
    expect(brier).toEqual(isKept ? expect.closeTo(0.06, 9) : undefined);
    expect(calibration?.expectedError).toEqual(isKept ? expect.closeTo(0.2, 9) : undefined);
    expect(topK.map(({ accuracy }) => accuracy)).toEqual(isKept ? [1] : []);
    expect(absent[0]).toBe(
      isKept
        ? 'Top-k accuracy is of 99 of 100 outputs: the others lack a score for each class.'
        : 'Top-k accuracy is absent: only 98 of 100 outputs have a score for each class.',
    );
    expect(absent).toHaveLength(3);
  },
);

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
