import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type NestedExecutions, startNested } from '../../states/tasks/start-execution.ts';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
let inner: string;
beforeEach(async () => {
  stack = await localStates();
  inner = await stack.machine(
    'inner',
    jsonata({
      W: { Type: 'Wait', Seconds: 5, Next: 'C' },
      C: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input.bad = true %}', Next: 'F' }],
        Default: 'S',
      },
      F: { Type: 'Fail', Error: 'Inner', Cause: 'bad' },
      S: { Type: 'Succeed', Output: { got: '{% $states.input %}' } },
    }),
  );
});
afterEach(() => stack.close());

const start = (suffix: string, extra: object = {}): object => ({
  Type: 'Task',
  Resource: `arn:aws:states:::states:startExecution${suffix}`,
  Arguments: { StateMachineArn: inner, Input: '{% $states.input %}', Name: 'child' },
  End: true,
  ...extra,
});

async function outer(suffix: string, input: unknown, extra: object = {}): Promise<string> {
  return stack.start(await stack.machine('outer', jsonata({ A: start(suffix, extra) })), input);
}

test('request and response does not wait', async () => {
  const { status, output } = await stack.describe(await outer('', { a: 1 }));
  expect([status, JSON.parse(output).ExecutionArn]).toEqual([
    'SUCCEEDED',
    'arn:aws:states:us-east-1:000000000000:execution:inner:child',
  ]);
});

test('.sync:2 waits and gives values', async () => {
  const arn = await outer('.sync:2', { a: 1 });
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  await stack.clock.advance(5000);
  const output = JSON.parse((await stack.describe(arn)).output);
  expect(output).toMatchObject({
    Status: 'SUCCEEDED',
    Name: 'child',
    Input: { a: 1 },
    Output: { got: { a: 1 } },
  });
});

test('.sync gives texts', async () => {
  const arn = await outer('.sync', { a: 1 });
  await stack.clock.advance(5000);
  const output = JSON.parse((await stack.describe(arn)).output);
  expect(output).toMatchObject({ Input: '{"a":1}', Output: '{"got":{"a":1}}' });
});

test('a nested failure is States.TaskFailed with the execution as cause', async () => {
  const arn = await outer('.sync:2', { bad: true });
  await stack.clock.advance(5000);
  const { error, cause } = await stack.describe(arn);
  expect([error, JSON.parse(cause)]).toMatchObject([
    'States.TaskFailed',
    { Status: 'FAILED', Error: 'Inner', Cause: 'bad' },
  ]);
});

test('stopping the outer execution stops the inner one', async () => {
  const arn = await outer('.sync:2', {});
  await stack.client.send(new StopExecutionCommand({ executionArn: arn }));
  await stack.clock.advance(0);
  const child = 'arn:aws:states:us-east-1:000000000000:execution:inner:child';
  expect((await stack.describe(child)).status).toBe('ABORTED');
});

test('a name that is taken is the service’s own error', async () => {
  await stack.start(inner, { other: true }, 'child');
  expect((await stack.describe(await outer('.sync:2', {}))).error).toBe(
    'StepFunctions.ExecutionAlreadyExistsException',
  );
});

test('an inner execution that is being started when its Task ends is stopped', async () => {
  const task = new AbortController();
  const inner = Promise.withResolvers<never>();
  const executions: NestedExecutions = {
    start: async () => {
      task.abort();
      return { executionArn: 'child', startMs: 0 };
    },
    ended: () => inner.promise,
    stop: (arn) => inner.reject(new Error(`${arn} is stopped`)),
  };
  const nested = startNested(executions, 'sync', { StateMachineArn: 'machine' }, task.signal, {
    submitted: () => undefined,
    joined: undefined,
  });
  await expect(nested).rejects.toThrow('child is stopped');
});
