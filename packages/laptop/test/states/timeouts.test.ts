import {
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
let tokens: string[];
beforeEach(async () => {
  tokens = [];
  stack = await localStates({
    functions: {
      hangs: () => new Promise(() => undefined),
      takes: ({ token }) => void tokens.push(token),
    },
  });
});
afterEach(() => stack.close());

/** A Task that hands its token to a function and waits. */
const waiting = (extra: object = {}): object => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Arguments: { FunctionName: 'takes', Payload: { token: '{% $states.context.Task.Token %}' } },
  End: true,
  ...extra,
});

async function begin(states: Record<string, object>, extra: object = {}): Promise<string> {
  return stack.start(await stack.machine('m', jsonata(states, extra)));
}

test('a Task over TimeoutSeconds is States.Timeout', async () => {
  const arn = await begin({ A: invoke('hangs', { TimeoutSeconds: 30 }) });
  await stack.clock.advance(29_999);
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  await stack.clock.advance(1);
  const { status, error } = await stack.describe(arn);
  expect([status, error]).toEqual(['FAILED', 'States.Timeout']);
  expect((await stack.history(arn)).map(({ type }) => type)).toContain('TaskTimedOut');
});

test('TimeoutSeconds can be an expression', async () => {
  const machine = await stack.machine(
    'm',
    jsonata({ A: invoke('hangs', { TimeoutSeconds: '{% $states.input.s %}' }) }),
  );
  const arn = await stack.start(machine, { s: 5 });
  await stack.clock.advance(5000);
  expect((await stack.describe(arn)).error).toBe('States.Timeout');
});

test('a machine over TimeoutSeconds is TIMED_OUT, and no Catch sees it', async () => {
  const task = invoke('hangs', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }] });
  const arn = await begin({ A: task, B: { Type: 'Succeed' } }, { TimeoutSeconds: 10 });
  await stack.clock.advance(10_000);
  const { status, error } = await stack.describe(arn);
  expect([status, error]).toEqual(['TIMED_OUT', 'States.Timeout']);
  expect((await stack.history(arn)).at(-1)?.type).toBe('ExecutionTimedOut');
});

test('SendTaskSuccess gives the Task its result', async () => {
  const arn = await begin({ A: waiting() });
  await stack.client.send(new SendTaskSuccessCommand({ taskToken: tokens[0], output: '{"a":1}' }));
  await stack.clock.advance(0);
  expect((await stack.describe(arn)).output).toBe('{"a":1}');
  const types = (await stack.history(arn)).map(({ type }) => type);
  expect(types).toEqual([
    'ExecutionStarted',
    'TaskStateEntered',
    'TaskScheduled',
    'TaskStarted',
    'TaskSubmitted',
    'TaskSucceeded',
    'TaskStateExited',
    'ExecutionSucceeded',
  ]);
});

test('SendTaskFailure gives the Task its error', async () => {
  const arn = await begin({ A: waiting() });
  await stack.client.send(new SendTaskFailureCommand({ taskToken: tokens[0], error: 'Mine', cause: 'so' }));
  await stack.clock.advance(0);
  const { error, cause } = await stack.describe(arn);
  expect([error, cause]).toEqual(['Mine', 'so']);
});

test('a Task without heartbeats is States.HeartbeatTimeout; each heartbeat gives it time', async () => {
  const arn = await begin({ A: waiting({ HeartbeatSeconds: 10 }) });
  await stack.clock.advance(9000);
  await stack.client.send(new SendTaskHeartbeatCommand({ taskToken: tokens[0] }));
  await stack.clock.advance(9999);
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  await stack.clock.advance(1);
  expect((await stack.describe(arn)).error).toBe('States.HeartbeatTimeout');
});

test('a token serves once', async () => {
  await begin({ A: waiting() });
  const success = new SendTaskSuccessCommand({ taskToken: tokens[0], output: '1' });
  await stack.client.send(success);
  await stack.clock.advance(0);
  await expect(stack.client.send(success)).rejects.toMatchObject({ name: 'TaskTimedOut' });
});

test('an invalid token is refused', async () => {
  const success = new SendTaskSuccessCommand({ taskToken: 'x', output: '1' });
  await expect(stack.client.send(success)).rejects.toMatchObject({ name: 'InvalidToken' });
});

test('an output that is not JSON is refused and the Task goes on', async () => {
  const arn = await begin({ A: waiting() });
  const success = new SendTaskSuccessCommand({ taskToken: tokens[0], output: '{' });
  await expect(stack.client.send(success)).rejects.toMatchObject({ name: 'InvalidOutput' });
  expect((await stack.describe(arn)).status).toBe('RUNNING');
});

test('an answer after the time-out changes nothing', async () => {
  let answer: (value: number) => void = () => undefined;
  stack.functions['late'] = () => new Promise((resolve) => (answer = resolve));
  const arn = await begin({
    A: invoke('late', { TimeoutSeconds: 1, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'B' }] }),
    B: { Type: 'Wait', Seconds: 1, End: true },
  });
  await stack.clock.advance(1000);
  answer(1);
  await stack.clock.advance(1000);
  expect((await stack.history(arn)).map(({ type }) => type)).not.toContain('TaskSucceeded');
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
});
