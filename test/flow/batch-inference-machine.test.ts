import { expect, test } from 'vitest';
import { AwsError } from '../../packages/laptop/kernel/aws-error.ts';
import { type Answer, scriptedMachine, throws } from '../support/scripted-machine.ts';

const good: Record<string, Answer[]> = {
  'settle-drop': [{ status: 'frozen', objects: 2, bytes: 20 }],
  'plan-run': [{ status: 'planned', jobs: 1, objects: 2, costQuoteUsd: 0.1 }],
  'prepare-model': [{ modelName: 'm' }],
  'start-transform': [{ status: 'started', jobName: 'j1' }],
  'check-transform': [{ status: 'ended', jobStatus: 'Completed' }],
  'reconcile-outputs': [{ next: 'fold', shards: 1, inputs: 2, missing: 0, isRound: false }],
  'fold-predictions': [{ shard: 0, records: 2 }],
  'write-report': [{ status: 'completed', gate: 'passed', report: 'r' }],
  notify: [{ messageId: 'x' }],
};

const { run, called, payloads } = scriptedMachine('batch-inference', {
  good,
  input: { run: 'p/d/000001' },
  objects: {
    'bucket/runs/p/d/000001/parts/1/bundles.json': JSON.stringify([
      { run: 'p/d/000001', list: 'parts/1', bundle: 0, start: 0, end: 10, first: 'a', last: 'b' },
    ]),
    'bucket/runs/p/d/000001/shards.json': '[{"run":"p/d/000001","shard":0,"start":0,"end":10,"inputs":2}]',
  },
  values: { BucketName: 'bucket', FoldConcurrency: '16' },
});

test('a good run goes through every step once', async () => {
  const { status, output } = await run();
  expect(called()).toEqual(Object.keys(good));
  expect([status, JSON.parse(output)]).toEqual(['SUCCEEDED', { run: 'p/d/000001', status: 'completed' }]);
  expect(payloads('settle-drop')).toEqual([
    {
      run: 'p/d/000001',
      executionArn: expect.stringContaining('execution:batch-inference:') as string,
      startedAt: '2026-01-01T00:00:00.000Z',
    },
  ]);
  expect(payloads('fold-predictions')).toEqual([
    { run: 'p/d/000001', shard: 0, start: 0, end: 10, inputs: 2 },
  ]);
});

test('waits for quiet, and lists on at once', async () => {
  await run({
    'settle-drop': [
      { status: 'waiting', waitSeconds: 60 },
      { status: 'listing', waitSeconds: 0 },
      { status: 'frozen', objects: 2, bytes: 20 },
    ],
  });
  expect(called().slice(0, 4)).toEqual(['settle-drop', 'settle-drop', 'settle-drop', 'plan-run']);
});

test.each([[{ status: 'abandoned' }], [{ status: 'empty', announce: false }]])(
  '%j ends without a word',
  async (settled) => {
    const { status } = await run({ 'settle-drop': [settled] });
    expect([status, called()]).toEqual(['SUCCEEDED', ['settle-drop']]);
  },
);

test('an empty first drop is reported', async () => {
  const { status } = await run({
    'settle-drop': [{ status: 'empty', announce: true }],
    'write-report': [{ status: 'empty', gate: 'none', report: 'r' }],
  });
  expect([status, called()]).toEqual(['SUCCEEDED', ['settle-drop', 'write-report', 'notify']]);
});

test('a refused plan is reported, sent as a message, and fails the execution', async () => {
  const { status, error, cause } = await run({
    'plan-run': [throws('PlanRefused', 'classes are missing')],
    'write-report': [{ status: 'refused', gate: 'none', report: 'r' }],
  });
  expect([status, error, cause.includes('classes are missing')]).toEqual(['FAILED', 'PlanRefused', true]);
  expect(called()).toEqual(['settle-drop', 'plan-run', 'write-report', 'notify']);
  expect(payloads('write-report')).toMatchObject([{ failure: { error: 'PlanRefused', step: 'PlanRun' } }]);
  expect(payloads('notify')).toEqual([{ run: 'p/d/000001', status: 'refused' }]);
});

test('a model that kills the function that prepares it is tried twice', async () => {
  const { error } = await run({ 'prepare-model': [throws('Runtime.OutOfMemory', 'killed')] });
  expect([error, called().filter((name) => name === 'prepare-model').length]).toEqual([
    'Runtime.OutOfMemory',
    2,
  ]);
  expect(payloads('write-report')).toMatchObject([{ failure: { step: 'PrepareModel' } }]);
});

test('a running job is asked again, with the number of the poll', async () => {
  await run({
    'check-transform': [
      { status: 'running', waitSeconds: 5, poll: 1, progress: { done: 1, total: 2, approximate: false } },
      { status: 'running', waitSeconds: 10, poll: 2, progress: { done: 1, total: 2, approximate: false } },
      { status: 'ended', jobStatus: 'Failed' },
    ],
  });
  expect(payloads('check-transform')).toMatchObject([{ poll: 0 }, { poll: 1 }, { poll: 2 }]);
  expect(payloads('reconcile-outputs')).toEqual([{ run: 'p/d/000001', attempt: 1 }]);
});

test('a comparison whose time is up goes on with the same input', async () => {
  await run({
    'check-transform': [{ status: 'ended', jobStatus: 'Failed' }],
    'reconcile-outputs': [
      { next: 'reconcile' },
      { next: 'fold', shards: 1, inputs: 2, missing: 0, isRound: false },
    ],
  });
  const asked = { run: 'p/d/000001', attempt: 1 };
  expect(payloads('reconcile-outputs')).toEqual([asked, asked]);
});

test('missing outputs start the next attempt', async () => {
  await run({
    'start-transform': [
      { status: 'started', jobName: 'j1' },
      { status: 'started', jobName: 'j2' },
    ],
    'reconcile-outputs': [
      { next: 'transform', attempt: 2 },
      { next: 'fold', shards: 1, inputs: 2, missing: 0, isRound: false },
    ],
  });
  expect(payloads('start-transform')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(payloads('check-transform')).toMatchObject([
    { attempt: 1, poll: 0 },
    { attempt: 2, poll: 0 },
  ]);
});

test('a round is judged after it is folded, until the gate is decided', async () => {
  const folded = { next: 'fold', shards: 1, inputs: 2, missing: 0, isRound: true };
  await run({
    'start-transform': [
      { status: 'started', jobName: 'j1' },
      { status: 'started', jobName: 'j2' },
    ],
    'check-transform': [
      { status: 'ended', jobStatus: 'Completed' },
      { status: 'ended', jobStatus: 'Completed' },
    ],
    'reconcile-outputs': [folded, folded],
    'fold-predictions': [
      { shard: 0, records: 2 },
      { shard: 0, records: 4 },
    ],
    'judge-round': [
      { next: 'transform', attempt: 2, inputs: 4, of: 9 },
      { next: 'report', verdict: 'passed', inputs: 4, of: 9 },
    ],
  });
  expect(payloads('judge-round')).toEqual([
    { run: 'p/d/000001', attempt: 1 },
    { run: 'p/d/000001', attempt: 2 },
  ]);
  expect(payloads('start-transform')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(payloads('fold-predictions')).toHaveLength(2);
  expect(called().slice(-3)).toEqual(['judge-round', 'write-report', 'notify']);
});

test('no capacity moves on to the next instance type', async () => {
  await run({
    'check-transform': [
      { status: 'no-capacity', attempt: 2 },
      { status: 'ended', jobStatus: 'Completed' },
    ],
  });
  expect(payloads('start-transform')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
});

test('throttling is tried again', async () => {
  const { status } = await run({
    'start-transform': [throws('TransformThrottled'), { status: 'started', jobName: 'j1' }],
  });
  expect([status, payloads('start-transform').length]).toEqual(['SUCCEEDED', 2]);
});

test('a quota in use is waited for, with the number of the poll', async () => {
  const { status } = await run({
    'start-transform': [
      { status: 'waiting', waitSeconds: 60, poll: 1 },
      { status: 'waiting', waitSeconds: 60, poll: 2 },
      { status: 'started', jobName: 'j1' },
    ],
  });
  expect([status, payloads('start-transform')]).toMatchObject([
    'SUCCEEDED',
    [{ poll: 0 }, { poll: 1 }, { poll: 2 }],
  ]);
  expect(payloads('check-transform')).toMatchObject([{ poll: 0 }]);
});

test('bundles are written before their job starts, and how often is counted for each job', async () => {
  const { status } = await run({
    'start-transform': [
      { status: 'bundle', list: 'parts/1', bundled: 1 },
      { status: 'waiting', waitSeconds: 60, poll: 1 },
      { status: 'bundle', list: 'parts/1', bundled: 2 },
      { status: 'started', jobName: 'j1' },
      { status: 'started', jobName: 'j2' },
    ],
    'bundle-inputs': [
      { bundle: 0, inputs: 2 },
      { bundle: 0, inputs: 2 },
    ],
    'reconcile-outputs': [
      { next: 'transform', attempt: 2 },
      { next: 'fold', shards: 1, inputs: 2, missing: 0, isRound: false },
    ],
  });
  expect(status).toBe('SUCCEEDED');
  expect(payloads('start-transform').map(({ bundled }) => bundled)).toEqual([0, 1, 1, 2, 0]);
  const batch = { Items: [{ run: 'p/d/000001', list: 'parts/1', bundle: 0, start: 0, end: 10 }] };
  expect(payloads('bundle-inputs')).toEqual([batch, batch]);
});

test('a run waits for its turn, and is planned again', async () => {
  const { status } = await run({
    'plan-run': [
      { status: 'waiting', waitSeconds: 2 },
      { status: 'waiting', waitSeconds: 600 },
      { status: 'planned', jobs: 1, objects: 2, costQuoteUsd: 0.1 },
    ],
  });
  expect([status, payloads('plan-run').length, payloads('prepare-model').length]).toEqual([
    'SUCCEEDED',
    3,
    1,
  ]);
});

test('where no instance comes free in time, what the job before has left is scored', async () => {
  const { status } = await run({
    'start-transform': [
      { status: 'started', jobName: 'j1' },
      { status: 'waiting', waitSeconds: 60, poll: 1 },
      { status: 'ended', attempt: 1 },
    ],
    'check-transform': [
      { status: 'running', waitSeconds: 5, poll: 7, progress: { done: 1, total: 2, approximate: false } },
      { status: 'ended', jobStatus: 'Failed' },
    ],
    'reconcile-outputs': [
      { next: 'transform', attempt: 2 },
      { next: 'fold', shards: 1, inputs: 2, missing: 1, isRound: false },
    ],
  });
  expect(status).toBe('SUCCEEDED');
  expect(payloads('start-transform')).toMatchObject([
    { poll: 0 },
    { attempt: 2, poll: 0 },
    { attempt: 2, poll: 1 },
  ]);
  expect(payloads('reconcile-outputs')).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
});

test('a shard that Lambda throttles is folded when its turn comes, however late', async () => {
  const throttled = (): never => {
    throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', { statusCode: 429 });
  };
  const { status } = await run({
    'fold-predictions': [...Array.from({ length: 60 }, () => throttled), { shard: 0, records: 2 }],
  });
  expect([status, payloads('fold-predictions').length]).toEqual(['SUCCEEDED', 61]);
});

test('a shard that cannot be folded fails the run, which is reported', async () => {
  const { status, error } = await run({ 'fold-predictions': [throws('OutputUnreadable')] });
  expect([status, error]).toEqual(['FAILED', 'States.ExceedToleratedFailureThreshold']);
  expect(called().slice(-2)).toEqual(['write-report', 'notify']);
});

test('a run without usable predictions is a failed execution', async () => {
  const { status, error } = await run({ 'write-report': [{ status: 'failed', gate: 'none', report: 'r' }] });
  expect([status, error]).toEqual(['FAILED', 'RunFailed']);
});
