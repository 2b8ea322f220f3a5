import { expect, test } from 'vitest';
import { type Answer, scriptedMachine, throws } from '../support/scripted-machine.ts';

const RUN = 'training/p/d/000001';
const good: Record<string, Answer[]> = {
  'settle-drop': [{ status: 'frozen', objects: 2, bytes: 20 }],
  'plan-training': [{ status: 'planned', costQuoteUsd: 0.1 }],
  'package-source': [{ sha256: 'a', bytes: 10 }],
  'start-training': [{ status: 'started', attempt: 1, jobName: 'j1', instance: 0 }],
  'check-training': [{ status: 'ended', jobStatus: 'Completed' }],
  'register-model': [{ sha256: 'b', bytes: 20 }],
  'evaluate-model': [{ status: 'evaluated', verdict: 'passed', candidateRun: 'p/test/000001r2' }],
  'promote-model': [{ promotion: 'asked', deploy: 'never', candidateRun: 'p/test/000001r2' }],
  'write-training-report': [{ status: 'completed' }],
  notify: [{ messageId: 'x' }],
};

const { run, called, payloads, started } = scriptedMachine('training', {
  good,
  input: { run: RUN },
  starts: ['EndpointMachine'],
});

test('a good training goes through every step once', async () => {
  const { status, output } = await run();
  expect(called()).toEqual(Object.keys(good));
  expect([status, JSON.parse(output)]).toEqual(['SUCCEEDED', { run: RUN, status: 'completed' }]);
  expect(payloads('write-training-report')).toEqual([
    {
      run: RUN,
      executionArn: expect.stringContaining('execution:training:') as string,
      startedAt: '2026-01-01T00:00:00.000Z',
    },
  ]);
});

test('waits for quiet, for its turn, for a quota, for the job and for the evaluation', async () => {
  const running = {
    status: 'running',
    waitSeconds: 5,
    secondaryStatus: 'Training',
    metrics: {},
    lastLines: [],
  };
  const { status } = await run({
    'settle-drop': [
      { status: 'waiting', waitSeconds: 60 },
      { status: 'listing', waitSeconds: 0 },
      { status: 'frozen', objects: 2, bytes: 20 },
    ],
    'plan-training': [
      { status: 'waiting', waitSeconds: 2 },
      { status: 'planned', costQuoteUsd: null },
    ],
    'start-training': [
      { status: 'no-quota', waitSeconds: 60, poll: 1 },
      { status: 'no-quota', waitSeconds: 60, poll: 2 },
      { status: 'started', attempt: 1, jobName: 'j1', instance: 0 },
    ],
    'check-training': [
      { ...running, poll: 1 },
      { ...running, poll: 2 },
      { status: 'ended', jobStatus: 'Completed' },
    ],
    'evaluate-model': [
      { status: 'waiting', waitSeconds: 5 },
      { status: 'waiting', waitSeconds: 600 },
      { status: 'evaluated', verdict: 'none', candidateRun: null },
    ],
    'promote-model': [{ promotion: 'asked', deploy: 'never', candidateRun: null }],
  });
  expect(status).toBe('SUCCEEDED');
  expect([payloads('settle-drop').length, payloads('plan-training').length]).toEqual([3, 2]);
  expect(payloads('start-training')).toMatchObject([{ poll: 0 }, { poll: 1 }, { poll: 2 }]);
  expect(payloads('check-training')).toMatchObject([{ poll: 0 }, { poll: 1 }, { poll: 2 }]);
  expect(payloads('evaluate-model')).toEqual([{ run: RUN }, { run: RUN }, { run: RUN }]);
});

test('no capacity moves on to the next instance type', async () => {
  await run({
    'start-training': [
      { status: 'started', attempt: 1, jobName: 'j1', instance: 0 },
      { status: 'started', attempt: 2, jobName: 'j2', instance: 1 },
    ],
    'check-training': [
      { status: 'no-capacity', instance: 1, attempt: 2 },
      { status: 'ended', jobStatus: 'Completed' },
    ],
  });
  expect(payloads('start-training')).toMatchObject([
    { attempt: 1, instance: 0 },
    { attempt: 2, instance: 1, poll: 0 },
  ]);
  expect(payloads('check-training')).toMatchObject([
    { attempt: 1, jobName: 'j1' },
    { attempt: 2, jobName: 'j2', instance: 1 },
  ]);
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
    'write-training-report': [{ status: 'empty' }],
  });
  expect([status, called()]).toEqual(['SUCCEEDED', ['settle-drop', 'write-training-report', 'notify']]);
});

test.each(Object.keys(good).filter((name) => name !== 'write-training-report' && name !== 'notify'))(
  'an error of %s is reported, sent as a message, and fails the execution',
  async (name) => {
    const { status, error } = await run({
      [name]: [throws('PlanRefused', 'wrong')],
      'write-training-report': [{ status: 'failed' }],
    });
    expect([status, error]).toEqual(['FAILED', 'PlanRefused']);
    expect(called().slice(-3)).toEqual([name, 'write-training-report', 'notify']);
    expect(payloads('write-training-report')).toMatchObject([{ failure: { error: 'PlanRefused' } }]);
    expect(payloads('notify')).toEqual([{ run: RUN, status: 'failed' }]);
  },
);

test('a training without a model is a failed execution', async () => {
  const { status, error } = await run({ 'write-training-report': [{ status: 'failed' }] });
  expect([status, error]).toEqual(['FAILED', 'TrainingFailed']);
});

test('throttling is tried again', async () => {
  const { status } = await run({
    'start-training': [
      throws('TransformThrottled'),
      { status: 'started', attempt: 1, jobName: 'j1', instance: 0 },
    ],
  });
  expect([status, payloads('start-training').length]).toEqual(['SUCCEEDED', 2]);
});

test.each([
  ['promoted', 'when-gate-passes', 1],
  ['promoted', 'never', 0],
  ['asked', 'when-gate-passes', 0],
])('a model that was %s, with deploy %s, starts %i deployments', async (promotion, deploy, count) => {
  await run({ 'promote-model': [{ promotion, deploy, candidateRun: 'p/test/000001r2' }] });
  const deployment = { schema: 1, action: 'deploy', pipeline: 'p', run: 'p/test/000001r2', reason: null };
  expect(started()).toEqual(Array(count).fill(deployment));
});
