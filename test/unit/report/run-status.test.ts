import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { runStatus } from '../../../src/report/run-status.ts';

/** Metrics of records that were predicted, and of failures by reason. */
function metrics(predicted: number, failures: Readonly<Record<string, number>>) {
  const tally = createTally(new ClassList(['cat', 'dog']), 0);
  const nothing = { scores: undefined, scoreIndex: undefined, confidence: undefined };
  for (let recordIndex = 0; recordIndex < predicted; recordIndex++) {
    const record = { key: 'a', recordIndex, truth: 0, predicted: 0 };
    countOutcome(tally, { ...record, ...nothing, distribution: false });
  }
  for (const [reason, count] of Object.entries(failures))
    for (let at = 0; at < count; at++) countError(tally, reason);
  tally.inputs = tally.predicted + Object.values(failures).reduce((sum, count) => sum + count, 0);
  return metricsOf(tally, [1]);
}

test.each([
  [0, {}, undefined, 'empty'],
  [3, {}, undefined, 'completed'],
  [3, {}, 0, 'completed'],
  [3, { empty: 1 }, undefined, 'completed-with-errors'],
  [3, { empty: 1 }, 0.25, 'completed-with-errors'],
  // Inputs that were changed are not the model's errors.
  [3, { superseded: 1, deleted: 1 }, 0, 'completed-with-errors'],
])('%d predictions and %j, of which %s may be errors: %s', (predicted, failures, most, status) => {
  expect(runStatus(metrics(predicted, failures), most)).toEqual({ status, failure: null });
});

test('a run without any usable prediction failed, with its reasons and what to do about the most frequent', () => {
  expect(runStatus(metrics(0, { empty: 1, 'model-error': 1_200 }), 1)).toEqual({
    status: 'failed',
    failure: {
      error: 'NothingPredicted',
      cause: 'No input has a usable prediction: 1,200 model-error, 1 empty.',
      nextStep: expect.stringContaining('errors.csv names each input without an answer'),
    },
  });
});

test('a run with more errors than the gate allows failed', () => {
  expect(runStatus(metrics(2, { empty: 2, 'not-a-number': 1 }), 0.5999)).toEqual({
    status: 'failed',
    failure: {
      error: 'ErrorRateExceeded',
      cause: '60% of the records count as errors; gate.maxErrorRate allows 59.99%.',
      nextStep: 'Upload files that are not empty.',
    },
  });
});
