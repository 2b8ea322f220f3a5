import { expect, it } from 'vitest';
import { embeddedMetrics } from '../../../packages/laptop/logs/embedded-metrics.ts';
import { toEmbeddedMetrics } from '../../../src/aws/runtime/embedded-metrics.ts';
import { measureEnd } from '../../../src/run/measure-end.ts';
import { measureSweep } from '../../../src/run/measure-sweep.ts';
import type { Measurement } from '../../../src/run/measurement.ts';

const AT = new Date('2026-03-02T09:15:07.120Z');

it('a measurement is one line of the embedded metric format, without what was not measured', () => {
  const measurement: Measurement = {
    facts: { run: 'clothes/monday/000001', pipeline: 'clothes', status: 'completed' },
    groups: [
      { by: [['pipeline', 'status'], ['status']], values: { Runs: 1 } },
      { by: [['pipeline']], values: { AccuracyPercent: null, CostUsd: 0.5 } },
      { by: [['pipeline']], values: { GatesPassed: null } },
    ],
  };
  const line = toEmbeddedMetrics('inferdrop/dev', AT, measurement);
  expect(JSON.parse(line)).toEqual({
    _aws: {
      Timestamp: AT.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: 'inferdrop/dev',
          Dimensions: [['pipeline', 'status'], ['status']],
          Metrics: [{ Name: 'Runs', Unit: 'Count' }],
        },
        {
          Namespace: 'inferdrop/dev',
          Dimensions: [['pipeline']],
          Metrics: [{ Name: 'CostUsd', Unit: 'None' }],
        },
      ],
    },
    run: 'clothes/monday/000001',
    pipeline: 'clothes',
    status: 'completed',
    Runs: 1,
    CostUsd: 0.5,
  });
  const namespace = 'inferdrop/dev';
  expect([...embeddedMetrics(line)]).toEqual([
    { namespace, dimensions: { pipeline: 'clothes', status: 'completed' }, values: { Runs: 1 } },
    { namespace, dimensions: { status: 'completed' }, values: { Runs: 1 } },
    { namespace, dimensions: { pipeline: 'clothes' }, values: { CostUsd: 0.5 } },
  ]);
});

const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:inferdrop-dev-training:clothes-1';
it.each([
  ['FAILED', 'PlanRefused', { OperatorFailures: 0, UserFailures: 1 }],
  ['FAILED', 'RunFailed', { OperatorFailures: 0, UserFailures: 1 }],
  ['FAILED', 'GateNotPassed', { OperatorFailures: 0, UserFailures: 1 }],
  ['FAILED', 'ResourceLimitExceeded', { OperatorFailures: 1, UserFailures: 0 }],
  ['FAILED', 'AccessDenied', { OperatorFailures: 1, UserFailures: 0 }],
  ['FAILED', 'Sandbox.Timedout', { OperatorFailures: 1, UserFailures: 0 }],
  ['FAILED', 'toString', { OperatorFailures: 1, UserFailures: 0 }],
  ['FAILED', null, { OperatorFailures: 1, UserFailures: 0 }],
  ['ABORTED', 'Canceled', undefined],
  ['TIMED_OUT', null, undefined],
] as const)('an execution that ended as %s with %s counts as %j', (status, error, values) => {
  const measured = measureEnd('training', { executionArn, status, error });
  expect(measured?.groups[0]?.values).toEqual(values);
  if (measured) expect(measured.facts).toMatchObject({ kind: 'training', execution: 'clothes-1' });
});

it.each([
  [{ failed: 0, isWhole: true }, undefined],
  [{ failed: 1, isWhole: true }, 1],
  [{ failed: 0, isWhole: false }, 1],
  [{ failed: 0 }, undefined],
])('a sweep with %j counts as incomplete %s times', (swept, count) => {
  expect(measureSweep('runs', swept)?.groups[0]?.values.IncompleteSweeps).toBe(count);
});
