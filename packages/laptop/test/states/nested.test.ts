import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
let inner: string;
beforeEach(async () => {
  stack = await localStates();
  inner = await stack.machine('inner', jsonata({ W: { Type: 'Wait', Seconds: 5, End: true } }));
});
afterEach(() => stack.close());

async function outer(): Promise<string> {
  const start = {
    Type: 'Task',
    Resource: 'arn:aws:states:::states:startExecution',
    Arguments: { StateMachineArn: inner, Input: '{% $states.input %}', Name: 'child' },
    End: true,
  };
  return stack.start(await stack.machine('outer', jsonata({ A: start })), { a: 1 });
}

test('request and response does not wait', async () => {
  const { status, output } = await stack.describe(await outer());
  expect([status, JSON.parse(output).ExecutionArn]).toEqual([
    'SUCCEEDED',
    'arn:aws:states:us-east-1:000000000000:execution:inner:child',
  ]);
});

test('a name that is taken is the service’s own error', async () => {
  await stack.start(inner, { other: true }, 'child');
  expect((await stack.describe(await outer())).error).toBe('StepFunctions.ExecutionAlreadyExistsException');
});
