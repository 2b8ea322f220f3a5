import { expect, test } from 'vitest';
import { judgeGate } from '../../../src/gate/judge-gate.ts';
import type { Metrics } from '../../../src/metric/metrics.ts';

const metrics = (accuracy: number | undefined, errorRate: number) => ({ accuracy, errorRate }) as Metrics;

test.each([
  [{ minAccuracy: 0.7 }, 0.75, 0, 'passed', 'The gate passed: accuracy 75% is at least the minimum of 70%.'],
  [
    { minAccuracy: 0.7 },
    0.6999,
    0,
    'failed',
    'The gate failed: accuracy 69.99% is below the minimum of 70%.',
  ],
  [
    { minAccuracy: 0.7, maxErrorRate: 0.01 },
    0.9,
    0.02,
    'failed',
    'The gate failed: the error rate of 2% is above the maximum of 1%.',
  ],
  [
    { minAccuracy: 0.7 },
    undefined,
    0,
    'failed',
    'The gate failed: accuracy must be at least 70% and is not known.',
  ],
  [{}, 0.9, 0, 'none', 'The pipeline sets no gate.'],
  [null, 0.9, 0, 'none', 'The pipeline sets no gate.'],
])('%j with accuracy %s and error rate %s: %s', (gate, accuracy, errorRate, verdict, explanation) => {
  expect(judgeGate(gate, metrics(accuracy, errorRate))).toEqual({ verdict, explanation });
});
