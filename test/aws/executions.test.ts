import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { topic } from '../../src/aws/messages/topic.ts';
import { executions } from '../../src/aws/states/executions.ts';

const client = mockClient(SFNClient);
const stateMachineArn =
  'arn:aws-cn:states:cn-north-1:000000000000:stateMachine:inferdrop-dev-batch-inference';
const machine = executions({ stateMachineArn });
const arn = 'arn:aws-cn:states:cn-north-1:000000000000:execution:inferdrop-dev-batch-inference:run-1';
const at = new Date('2026-03-01T12:00:00Z');
const failure = (name: string) => Object.assign(new Error(name), { name });
beforeEach(() => client.reset());

it('knows the ARN of an execution by its name', () => {
  expect(machine.arnOf('run-1')).toBe(arn);
});

it('starts an execution, and says whether its name was used up', async () => {
  client
    .on(StartExecutionCommand)
    .resolvesOnce({ executionArn: arn })
    .rejects(failure('ExecutionAlreadyExists'));
  expect(await machine.start('run-1', '{}')).toEqual({ outcome: 'started', arn });
  expect(await machine.start('run-1', '{}')).toEqual({ outcome: 'exists', arn });
  expect(client.commandCalls(StartExecutionCommand)[0]!.args[0].input).toEqual({
    stateMachineArn,
    name: 'run-1',
    input: '{}',
  });
});

it('names throttling', async () => {
  client.on(StartExecutionCommand).rejects(failure('ThrottlingException'));
  await expect(machine.start('run-1', '{}')).rejects.toMatchObject({ name: 'Throttled' });
});

it('names a signature of another time', async () => {
  const expired = 'Signature expired: 20260131T120000Z is now earlier than 20260131T124500Z';
  client
    .on(StartExecutionCommand)
    .rejectsOnce(Object.assign(failure('InvalidSignatureException'), { message: expired }))
    .rejects(failure('InvalidSignatureException'));
  await expect(machine.start('run-1', '{}')).rejects.toMatchObject({ name: 'ClockSkewed' });
  await expect(machine.start('run-1', '{}')).rejects.toMatchObject({ name: 'InvalidSignatureException' });
});

it('describes an execution, or nothing', async () => {
  client
    .on(DescribeExecutionCommand)
    .resolvesOnce({
      executionArn: arn,
      status: 'FAILED',
      startDate: at,
      stopDate: at,
      error: 'E',
      cause: 'C',
    })
    .rejects(failure('ExecutionDoesNotExist'));
  expect(await machine.describe(arn)).toEqual({
    arn,
    status: 'FAILED',
    startedAt: at,
    endedAt: at,
    error: 'E',
    cause: 'C',
  });
  expect(await machine.describe(arn)).toBeUndefined();
});

it('stops with error and cause', async () => {
  client.on(StopExecutionCommand).resolves({});
  await machine.stop(arn, { error: 'Canceled', cause: 'by ada' });
  expect(client.commandCalls(StopExecutionCommand)[0]!.args[0].input).toEqual({
    executionArn: arn,
    error: 'Canceled',
    cause: 'by ada',
  });
});

it('reads the history page by page', async () => {
  client
    .on(GetExecutionHistoryCommand)
    .resolvesOnce({
      events: [
        { id: 1, type: 'TaskStateEntered', timestamp: at, stateEnteredEventDetails: { name: 'PlanRun' } },
      ],
      nextToken: 'more',
    })
    .resolves({
      events: [
        {
          id: 2,
          type: 'TaskStateExited',
          timestamp: at,
          stateExitedEventDetails: { name: 'PlanRun', output: '{}' },
        },
        {
          id: 3,
          type: 'ExecutionFailed',
          timestamp: at,
          executionFailedEventDetails: { error: 'E', cause: 'C' },
        },
      ],
    });
  expect(await Array.fromAsync(machine.history(arn, { pageSize: 20 }))).toEqual([
    { id: 1, type: 'TaskStateEntered', at, state: 'PlanRun' },
    { id: 2, type: 'TaskStateExited', at, state: 'PlanRun', output: '{}' },
    { id: 3, type: 'ExecutionFailed', at, error: 'E', cause: 'C' },
  ]);
  const asked = client.commandCalls(GetExecutionHistoryCommand).map(({ args: [{ input }] }) => input);
  expect(asked).toMatchObject([{ maxResults: 20 }, { maxResults: 20, nextToken: 'more' }]);
});

it('publishes with attributes to filter by', async () => {
  const sns = mockClient(SNSClient);
  sns.on(PublishCommand).resolves({ MessageId: 'm' });
  expect(
    await topic({ arn: 'topic' }).publish({ subject: 's', body: 'b', attributes: { status: 'failed' } }),
  ).toEqual({ messageId: 'm' });
  expect(sns.commandCalls(PublishCommand)[0]!.args[0].input).toEqual({
    TopicArn: 'topic',
    Subject: 's',
    Message: 'b',
    MessageAttributes: { status: { DataType: 'String', StringValue: 'failed' } },
  });
});
