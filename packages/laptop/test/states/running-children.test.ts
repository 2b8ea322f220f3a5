import {
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
let executionArn: string;
let mapRunArn: string;
beforeEach(async () => {
  stack = await localStates();
  const machine = jsonata({
    A: {
      Type: 'Map',
      Label: 'Each',
      Items: [0, 100],
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Rest',
        States: { Rest: { Type: 'Wait', Seconds: '{% $states.input %}', End: true } },
      },
      End: true,
    },
  });
  executionArn = await stack.start(await stack.machine('m', machine));
  const { mapRuns } = await stack.client.send(new ListMapRunsCommand({ executionArn }));
  mapRunArn = mapRuns![0]!.mapRunArn!;
});
afterEach(() => stack.close());

const children = async (statusFilter?: 'RUNNING') =>
  (await stack.client.send(new ListExecutionsCommand({ mapRunArn, ...(statusFilter && { statusFilter }) })))
    .executions!;

test('children are listed, newest first, those that run among them', async () => {
  expect((await children()).map(({ status, itemCount }) => [status, itemCount])).toEqual([
    ['RUNNING', 1],
    ['SUCCEEDED', 1],
  ]);
  expect(await children('RUNNING')).toHaveLength(1);
});

test('a child that runs can be described, with its history so far', async () => {
  const [running] = await children('RUNNING');
  expect(running!.executionArn).toMatch(/:execution:m\/Each:/);
  expect(await stack.describe(running!.executionArn!)).toMatchObject({
    status: 'RUNNING',
    mapRunArn,
    input: '100',
    stateMachineArn: expect.stringMatching(/:stateMachine:m\/Each$/),
  });
  const types = (await stack.history(running!.executionArn!)).map(({ type }) => type);
  expect(types).toEqual(['ExecutionStarted', 'WaitStateEntered']);
});

test('a child can be stopped by itself, and counts as failed', async () => {
  const [running] = await children('RUNNING');
  const stop = { executionArn: running!.executionArn!, error: 'Enough', cause: 'by ann' };
  await stack.client.send(new StopExecutionCommand(stop));
  await stack.clock.advance(0);

  expect(await stack.describe(stop.executionArn)).toMatchObject({
    status: 'ABORTED',
    error: 'Enough',
    cause: 'by ann',
  });
  expect(await stack.describe(executionArn)).toMatchObject({
    status: 'FAILED',
    error: 'States.ExceedToleratedFailureThreshold',
  });
});

test('an ended child keeps its history', async () => {
  await stack.clock.advance(100_000);
  const arns = (await children()).map((child) => child.executionArn!);
  for (const arn of arns) {
    const { events } = await stack.client.send(new GetExecutionHistoryCommand({ executionArn: arn }));
    expect(events!.at(-1)!.type).toBe('ExecutionSucceeded');
  }
  expect((await stack.describe(executionArn)).output).toBe('[0,100]');
});
