import { expect, test } from 'vitest';
import { attemptCost } from '../../../src/training/attempt-cost.ts';
import { reasonToStopTraining } from '../../../src/training/watch-training.ts';
import { trainingJobRecord, trainingPlan } from '../../support/training-documents.ts';

const START = Date.UTC(2026, 2, 1, 12);
const after = (minutes: number) => new Date(START + minutes * 60_000);
const at = (minutes: number) => after(minutes).toISOString();
const plan = trainingPlan();
const priced = { ...plan, cost: { ...plan.cost, pricesUsd: { 'ml.x': 6, 'ml.unknown': null } } };

test.each([
  ['runs for an hour on two instances', { startedAt: at(0) }, 12],
  ['has not started', {}, 0],
  ['had no instance', { startedAt: at(0), capacity: true }, 0],
  ['ended after half an hour', { startedAt: at(0), endedAt: at(30) }, 6],
  ['was billed for six minutes', { startedAt: at(0), endedAt: at(30), billableSeconds: 360 }, 1.2],
  ['starts by a clock that is ahead', { startedAt: at(90) }, 0],
  ['has no known price', { startedAt: at(0), instanceType: 'ml.unknown' }, null],
  ['is of a type that was not planned', { startedAt: at(0), instanceType: 'ml.other' }, null],
])('an attempt that %s', (_, attempt, usd) => {
  const {
    startedAt: _start,
    endedAt: _end,
    billableSeconds: _billed,
    capacity: _none,
    ...record
  } = trainingJobRecord();
  const billed = { ...record, instanceType: 'ml.x', instanceCount: 2, ...attempt };
  expect(attemptCost(billed, priced, after(60))).toBe(usd);
});

// An hour of training, two of waiting.
const limits = { maxCostUsd: 20, maxRunSeconds: 3_600, maxWaitSeconds: 7_200 };
const spot = { ...plan.spot, maxWaitSeconds: 10_800 } as NonNullable<typeof plan.spot>;

test.each([
  [{ startedAt: at(0) }, null, 71, 19.99, undefined],
  [{ startedAt: at(0) }, null, 72, 1, 'training.maxRunMinutes is 60, the job has taken 72'],
  [{ startedAt: at(30) }, null, 101, 1, undefined],
  [{ startedAt: at(0) }, null, 1, 20, 'training.maxCostUsd is $20.00, the training has cost $20.00'],
  [{ startedAt: at(0) }, null, 1, 20.456, 'training.maxCostUsd is $20.00, the training has cost $20.46'],
  [{ startedAt: at(0) }, null, 1, null, undefined],
  [{}, null, 143, 0, undefined],
  [{}, null, 144, 0, 'no instance came within 120 minutes (limits.maxRuntimeMinutes)'],
  [{}, spot, 215, 0, undefined],
  [{}, spot, 216, 0, 'no instance came within 180 minutes (training.spot.maxWaitMinutes)'],
  [{ startedAt: at(0) }, spot, 215, 0, undefined],
  [{ startedAt: at(0) }, spot, 216, 0, 'training.maxRunMinutes is 60, the job has taken 216'],
])(
  'a job of %j, with spot capacity %j, after %d minutes and %s dollars',
  (attempt, asked, minutes, spent, reason) => {
    const record = { createdAt: at(0), ...attempt };
    const watched = { ...plan, limits, spot: asked };
    expect(reasonToStopTraining(record, spent, watched, after(minutes))).toBe(reason);
    const unbounded = { ...watched, limits: { ...limits, maxCostUsd: null } };
    expect(reasonToStopTraining(record, 1_000, unbounded, after(minutes))).toBe(
      reason?.startsWith('training.maxCostUsd') ? undefined : reason,
    );
  },
);
