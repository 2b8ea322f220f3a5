import { expect, test } from 'vitest';
import { type Answer, scriptedMachine, throws } from '../support/scripted-machine.ts';

const FINISHED = { endpointName: 'e', configName: 'new', hardware: 'h', expiresAt: null, hourlyUsd: 1 };
const good: Record<string, Answer[]> = {
  'deploy-endpoint': [{ status: 'started', endpointName: 'e', configName: 'new', isCandidate: false }],
  'check-endpoint': [{ status: 'reached' }],
  'test-endpoint': [{ status: 'agrees', tested: 20, reason: null }],
  'roll-back-endpoint': [{ status: 'started', endpointName: 'e', configName: 'old' }],
  'delete-endpoint': [{ status: 'started', endpointName: 'e' }],
  'finish-endpoint': [FINISHED],
  'notify-endpoint': [{ messageId: 'x' }],
};

const { run, called, payload, payloads } = scriptedMachine('endpoint', {
  good,
  input: { action: 'deploy', pipeline: 'p', run: 'p/d/000001', reason: null },
});

test('a good deployment is tested, finished and reported', async () => {
  const { status, output } = await run();
  expect(called()).toEqual([
    'deploy-endpoint',
    'check-endpoint',
    'test-endpoint',
    'finish-endpoint',
    'notify-endpoint',
  ]);
  expect([status, JSON.parse(output)]).toEqual([
    'SUCCEEDED',
    { pipeline: 'p', outcome: 'deployed', tested: 20, endpoint: FINISHED },
  ]);
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'deployed', tested: 20, finished: FINISHED });
});

const CANDIDATE = { status: 'started', endpointName: 'c', configName: 'small', isCandidate: true };

test('where an endpoint serves, the model is tested on a candidate, and again when it has taken over', async () => {
  const { status } = await run({ 'deploy-endpoint': [CANDIDATE, ...good['deploy-endpoint']!] });
  expect([status, called()]).toEqual([
    'SUCCEEDED',
    [
      ...['deploy-endpoint', 'check-endpoint', 'test-endpoint'],
      ...['deploy-endpoint', 'check-endpoint', 'test-endpoint'],
      ...['finish-endpoint', 'notify-endpoint'],
    ],
  ]);
  const of = (name: string, field: string) => payloads(name).map((given) => given[field]);
  expect(of('deploy-endpoint', 'proof')).toEqual(['needed', 'given']);
  expect(of('check-endpoint', 'configName')).toEqual(['small', 'new']);
  expect(of('test-endpoint', 'endpointName')).toEqual(['c', 'e']);
});

const BAKING = { status: 'baking', endpointStatus: 'Updating', waitSeconds: 1 };

test('an update is tested once, while the old fleet is kept, and finished when that is gone', async () => {
  const { status, output } = await run({
    'check-endpoint': [
      { ...BAKING, poll: 1 },
      { ...BAKING, poll: 2 },
      { ...BAKING, poll: 3 },
      { status: 'reached' },
    ],
  });
  expect([status, JSON.parse(output).outcome]).toEqual(['SUCCEEDED', 'deployed']);
  expect(called()).toEqual([
    ...['deploy-endpoint', 'check-endpoint', 'test-endpoint'],
    ...['check-endpoint', 'check-endpoint', 'check-endpoint'],
    ...['finish-endpoint', 'notify-endpoint'],
  ]);
});

test('an update that disagrees while the old fleet is kept is rolled back, with the reason of the test', async () => {
  const ended = await run({
    'check-endpoint': [{ ...BAKING, poll: 1 }, { status: 'reached' }],
    'test-endpoint': [{ status: 'disagrees', tested: 1, reason: 'class 3' }],
    'roll-back-endpoint': [{ status: 'busy', waitSeconds: 5 }, ...good['roll-back-endpoint']!],
  });
  expect([ended.status, ended.error]).toEqual(['FAILED', 'SmokeTestFailed']);
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'rolled-back', reason: 'class 3' });
});

test('an update that SageMaker takes back after its test is a failure, with the reason of SageMaker', async () => {
  const reason = 'SageMaker took the update back; old serves: prod-latency is in ALARM';
  const ended = await run({
    'check-endpoint': [{ ...BAKING, poll: 1 }, { status: 'failed', reason }, { status: 'reached' }],
  });
  expect([ended.status, ended.error, ended.cause]).toEqual(['FAILED', 'EndpointFailed', reason]);
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'rolled-back', reason });
});

test('the candidate that agreed does not stand for the update', async () => {
  await run({
    'deploy-endpoint': [CANDIDATE, ...good['deploy-endpoint']!],
    'check-endpoint': [{ status: 'reached' }, { ...BAKING, poll: 1 }, { status: 'reached' }],
  });
  expect(payloads('test-endpoint').map(({ endpointName }) => endpointName)).toEqual(['c', 'e']);
});

test('a candidate that disagrees ends the deployment before anything that serves was asked for', async () => {
  const { status, error } = await run({
    'deploy-endpoint': [CANDIDATE],
    'test-endpoint': [{ status: 'disagrees', tested: 1, reason: 'class 3' }],
  });
  expect([status, error]).toEqual(['FAILED', 'SmokeTestFailed']);
  expect(called().filter((name) => name === 'deploy-endpoint')).toHaveLength(1);
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'rolled-back', reason: 'class 3' });
});

test('a message that cannot be sent is the end that repair-endpoint knows', async () => {
  const { status, error } = await run({ 'notify-endpoint': [throws('AccessDenied', 'no topic')] });
  expect([status, error]).toEqual(['FAILED', 'EndpointNotTold']);
});

test('waits its turn, and for the endpoint', async () => {
  await run({
    'deploy-endpoint': [{ status: 'busy', waitSeconds: 15 }, ...good['deploy-endpoint']!],
    'check-endpoint': [
      { status: 'waiting', endpointStatus: 'Updating', waitSeconds: 1, poll: 1 },
      { status: 'waiting', endpointStatus: 'Updating', waitSeconds: 2, poll: 2 },
      { status: 'reached' },
    ],
  });
  expect(called().filter((name) => name === 'deploy-endpoint')).toHaveLength(2);
  expect(payload('check-endpoint')).toEqual({ endpointName: 'e', configName: 'new', poll: 2 });
});

test('nothing is tested where nothing changed', async () => {
  const { status } = await run({
    'deploy-endpoint': [{ status: 'unchanged', endpointName: 'e', configName: 'new' }],
  });
  expect([status, called()]).toEqual([
    'SUCCEEDED',
    ['deploy-endpoint', 'finish-endpoint', 'notify-endpoint'],
  ]);
  expect(payload('finish-endpoint')).toMatchObject({ outcome: 'unchanged' });
});

test.each<[string, Record<string, Answer[]>, string, string]>([
  [
    'a smoke test that disagrees',
    { 'test-endpoint': [{ status: 'disagrees', tested: 1, reason: 'class 3' }] },
    'SmokeTestFailed',
    'class 3',
  ],
  [
    'an endpoint that fails',
    { 'check-endpoint': [{ status: 'failed', reason: 'no ping' }, { status: 'reached' }] },
    'EndpointFailed',
    'no ping',
  ],
  [
    'a step that throws',
    { 'test-endpoint': [throws('RunFileMissing', 'no plan')] },
    'RunFileMissing',
    'no plan',
  ],
])('%s is rolled back, reported, and fails the execution', async (_, script, error, reason) => {
  const ended = await run(script);
  expect([ended.status, ended.error]).toEqual(['FAILED', error]);
  expect(ended.cause).toContain(reason);
  expect(called().slice(-4)).toEqual([
    'roll-back-endpoint',
    'check-endpoint',
    'finish-endpoint',
    'notify-endpoint',
  ]);
  expect(payload('finish-endpoint')).toMatchObject({ outcome: 'rolled-back' });
  expect(payload('notify-endpoint')).toMatchObject({
    outcome: 'rolled-back',
    reason: expect.stringContaining(reason),
  });
});

test('a run that must not be served leaves everything as it was', async () => {
  const ended = await run({
    'deploy-endpoint': [throws('GateNotPassed', 'too bad')],
    'roll-back-endpoint': [{ status: 'nothing' }],
  });
  expect([ended.status, ended.error]).toEqual(['FAILED', 'GateNotPassed']);
  expect(payload('notify-endpoint')).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('too bad'),
  });
});

test('a roll-back that fails is reported too', async () => {
  const ended = await run({
    'check-endpoint': [
      { status: 'failed', reason: 'no ping' },
      { status: 'failed', reason: 'nor this' },
    ],
  });
  expect(ended.cause).toContain('no ping; and the way back failed: nor this');
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'failed' });
});

test('a deletion waits until the endpoint is gone, and says why', async () => {
  const { status } = await run(
    { 'delete-endpoint': [{ status: 'busy', waitSeconds: 15 }, ...good['delete-endpoint']!] },
    { action: 'delete', run: null, reason: 'its time was up' },
  );
  expect(status).toBe('SUCCEEDED');
  expect(payload('check-endpoint')).toEqual({ endpointName: 'e', configName: null, poll: 0 });
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'deleted', reason: 'its time was up' });
});

test('a deletion of what has been deployed again meanwhile ends without a message', async () => {
  const deployedAt = '2026-03-02T09:15:07.120Z';
  const { status } = await run(
    { 'delete-endpoint': [{ status: 'kept' }] },
    { action: 'delete', run: null, reason: 'its time was up', deployedAt },
  );
  expect([status, called()]).toEqual(['SUCCEEDED', ['delete-endpoint']]);
  expect(payload('delete-endpoint')).toMatchObject({ deployedAt });
});

test('a restoration goes back at once and succeeds', async () => {
  const { status } = await run({}, { action: 'restore', run: null, reason: 'the execution died' });
  expect([status, called()[0]]).toEqual(['SUCCEEDED', 'roll-back-endpoint']);
  expect(payload('notify-endpoint')).toMatchObject({ outcome: 'rolled-back' });
});
