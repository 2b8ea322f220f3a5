import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeEach(async () => {
  stack = await localStates();
});
afterEach(() => stack.close());

test('start and end are put on the bus in AWS’s form', async () => {
  const machine = await stack.machine(
    'm',
    jsonata({ A: { Type: 'Wait', Seconds: 2, Output: { b: 2 }, End: true } }),
  );
  const executionArn = await stack.start(machine, { a: 1 }, 'n');
  await stack.clock.advance(2000);
  const startDate = Date.UTC(2026, 0, 1);
  const common = {
    executionArn,
    stateMachineArn: machine,
    name: 'n',
    startDate,
    input: '{"a":1}',
    inputDetails: { included: true },
    error: null,
    cause: null,
    stateMachineVersionArn: null,
    stateMachineAliasArn: null,
    redriveCount: 0,
    redriveDate: null,
    redriveStatus: 'NOT_REDRIVABLE',
  };
  expect(stack.events).toEqual([
    {
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      resources: [executionArn],
      timeMs: startDate,
      detail: {
        ...common,
        status: 'RUNNING',
        stopDate: null,
        output: null,
        outputDetails: null,
        redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
      },
    },
    {
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      resources: [executionArn],
      timeMs: startDate + 2000,
      detail: {
        ...common,
        status: 'SUCCEEDED',
        stopDate: startDate + 2000,
        output: '{"b":2}',
        outputDetails: { included: true },
        redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
      },
    },
  ]);
});

test('an aborted execution tells its error and cause', async () => {
  const executionArn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 2, End: true } })),
  );
  await stack.client.send(new StopExecutionCommand({ executionArn, error: 'E', cause: 'C' }));
  expect(stack.events.at(-1)?.detail).toMatchObject({ status: 'ABORTED', error: 'E', cause: 'C' });
});

test('input and output over 248 KiB together are left out', async () => {
  const machine = await stack.machine('m', jsonata({ A: { Type: 'Pass', End: true } }));
  await stack.start(machine, 'x'.repeat(130_000));
  expect(stack.events[0]?.detail['inputDetails']).toEqual({ included: true });
  expect(stack.events[1]?.detail).toMatchObject({
    input: null,
    inputDetails: { included: false },
    output: null,
    outputDetails: { included: false },
  });
});
