import { GetExecutionHistoryCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeAll(async () => {
  stack = await localStates({
    functions: {
      echo: (event) => event,
      fails: () => {
        throw new FunctionError('Mine', 'so');
      },
    },
  });
});
afterAll(() => stack.close());

test('a Task that fails once and is caught, event by event', async () => {
  const machine = await stack.machine(
    'caught',
    jsonata({
      A: invoke('fails', {
        TimeoutSeconds: 9,
        Catch: [{ ErrorEquals: ['Mine'], Next: 'B', Assign: { seen: true } }],
      }),
      B: { Type: 'Succeed', Output: 1 },
    }),
  );
  const events = await stack.history(await stack.start(machine, { a: 1 }));
  const cause = '{"errorType":"Mine","errorMessage":"so","trace":[]}';
  const errorOutput = JSON.stringify({ Error: 'Mine', Cause: cause });
  const resource = { resourceType: 'lambda', resource: 'invoke' };
  const inputDetails = { truncated: false };
  const outputDetails = { truncated: false };
  expect(events.map(({ timestamp: _, ...event }) => event)).toEqual([
    {
      id: 1,
      previousEventId: 0,
      type: 'ExecutionStarted',
      executionStartedEventDetails: {
        input: '{"a":1}',
        inputDetails,
        roleArn: 'arn:aws:iam::000000000000:role/r',
      },
    },
    {
      id: 2,
      previousEventId: 1,
      type: 'TaskStateEntered',
      stateEnteredEventDetails: { name: 'A', input: '{"a":1}', inputDetails },
    },
    {
      id: 3,
      previousEventId: 2,
      type: 'TaskScheduled',
      taskScheduledEventDetails: {
        ...resource,
        region: 'us-east-1',
        parameters: '{"FunctionName":"fails","Payload":{"a":1}}',
        timeoutInSeconds: 9,
      },
    },
    { id: 4, previousEventId: 3, type: 'TaskStarted', taskStartedEventDetails: resource },
    {
      id: 5,
      previousEventId: 4,
      type: 'TaskFailed',
      taskFailedEventDetails: { ...resource, error: 'Mine', cause },
    },
    {
      id: 6,
      previousEventId: 5,
      type: 'TaskStateExited',
      stateExitedEventDetails: {
        name: 'A',
        output: errorOutput,
        outputDetails,
        assignedVariables: { seen: 'true' },
        assignedVariablesDetails: { truncated: false },
      },
    },
    {
      id: 7,
      previousEventId: 6,
      type: 'SucceedStateEntered',
      stateEnteredEventDetails: { name: 'B', input: errorOutput, inputDetails },
    },
    {
      id: 8,
      previousEventId: 7,
      type: 'SucceedStateExited',
      stateExitedEventDetails: { name: 'B', output: '1', outputDetails },
    },
    {
      id: 9,
      previousEventId: 8,
      type: 'ExecutionSucceeded',
      executionSucceededEventDetails: { output: '1', outputDetails },
    },
  ]);
});

test('an expression that fails is an event of its own', async () => {
  const machine = await stack.machine(
    'query',
    jsonata({ A: { Type: 'Pass', Output: '{% $states.input.no %}', End: true } }),
  );
  const events = await stack.history(await stack.start(machine));
  expect(events.map(({ type }) => type)).toEqual([
    'ExecutionStarted',
    'PassStateEntered',
    'EvaluationFailed',
    'ExecutionFailed',
  ]);
  expect(events[2]?.evaluationFailedEventDetails).toMatchObject({
    error: 'States.QueryEvaluationError',
    location: 'Output',
    state: 'A',
  });
});

test('pages, also backwards', async () => {
  const arn = await stack.start(
    await stack.machine('paged', jsonata({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', End: true } })),
  );
  const page = (reverseOrder: boolean, nextToken?: string) =>
    stack.client.send(
      new GetExecutionHistoryCommand({ executionArn: arn, maxResults: 4, reverseOrder, nextToken }),
    );
  const first = await page(true);
  const second = await page(true, first.nextToken);
  expect([...first.events!, ...second.events!].map(({ id }) => id)).toEqual([6, 5, 4, 3, 2, 1]);
  expect(second.nextToken).toBeUndefined();
});

test('inputs and outputs can be left out', async () => {
  const arn = await stack.start(await stack.machine('bald', jsonata({ A: { Type: 'Pass', End: true } })), {
    secret: 1,
  });
  const { events } = await stack.client.send(
    new GetExecutionHistoryCommand({ executionArn: arn, includeExecutionData: false }),
  );
  expect(JSON.stringify(events)).not.toContain('secret');
  expect(events?.[1]?.stateEnteredEventDetails).toEqual({ name: 'A' });
});

test('an execution of 25,000 events ends as States.Runtime', async () => {
  const loop = jsonata({
    A: { Type: 'Pass', Next: 'B' },
    B: { Type: 'Choice', Choices: [{ Condition: true, Next: 'A' }], Default: 'C' },
    C: { Type: 'Succeed' },
  });
  const arn = await stack.start(await stack.machine('loop', loop));
  await expect.poll(async () => (await stack.describe(arn)).status).toBe('FAILED');
  const { error, cause } = await stack.describe(arn);
  expect([error, cause]).toEqual([
    'States.Runtime',
    'The execution reached the maximum number of history events (25000).',
  ]);
  const last = await stack.client.send(
    new GetExecutionHistoryCommand({ executionArn: arn, reverseOrder: true, maxResults: 1 }),
  );
  expect(last.events?.map(({ id, type }) => [id, type])).toEqual([[25_000, 'ExecutionFailed']]);
});

test('a stopped execution tells which states it was in', async () => {
  const wait = jsonata({ W: { Type: 'Wait', Seconds: 60, End: true } });
  const executionArn = await stack.start(await stack.machine('stopped', wait));
  await stack.client.send(new StopExecutionCommand({ executionArn }));
  expect((await stack.history(executionArn)).map(({ type }) => type).slice(-3)).toEqual([
    'WaitStateEntered',
    'WaitStateAborted',
    'ExecutionAborted',
  ]);
});
