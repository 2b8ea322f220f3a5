import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  PutMetricAlarmCommand,
  type PutMetricAlarmCommandInput,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localMessaging } from '../support/local-messaging.ts';
import { type LocalCloudWatch, localCloudWatch } from './local-cloudwatch.ts';

const dimensions = { EndpointName: 'e', VariantName: 'AllTraffic' };

let stack: LocalCloudWatch;
beforeEach(async () => void (stack = await localCloudWatch()));
afterEach(() => stack.close());

const putAlarm = (changes: Partial<PutMetricAlarmCommandInput> = {}) =>
  stack.client.send(
    new PutMetricAlarmCommand({
      AlarmName: 'errors',
      Namespace: 'AWS/SageMaker',
      MetricName: 'Invocation5XXErrors',
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 2,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
      ...changes,
    }),
  );
const shown = async () => (await stack.client.send(new DescribeAlarmsCommand({}))).MetricAlarms;

test('an alarm of a template on what the stack does not measure is shown, and says so', async () => {
  const messaging = await localMessaging();
  await messaging.make('AWS::CloudWatch::Alarm', {
    AlarmName: 'dead-letters',
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Dimensions: [{ Name: 'QueueName', Value: 'dead' }],
    Threshold: '0',
    EvaluationPeriods: 1,
    Period: 60,
    Statistic: 'Maximum',
    ComparisonOperator: 'GreaterThanThreshold',
  });
  const { MetricAlarms } = await new CloudWatchClient(messaging.client).send(new DescribeAlarmsCommand({}));
  expect(MetricAlarms).toMatchObject([
    {
      AlarmName: 'dead-letters',
      AlarmArn: 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:dead-letters',
      Threshold: 0,
      StateValue: 'INSUFFICIENT_DATA',
      StateReason: expect.stringContaining('does not measure AWS/SQS'),
    },
  ]);
  await messaging.close();
});

test('an alarm goes off when its metric breaches the threshold, and is OK again later', async () => {
  await putAlarm();
  expect(stack.stateOf('errors')).toBe('OK');
  stack.put('AWS/SageMaker', dimensions, { Invocation5XXErrors: 1 });
  expect(stack.stateOf('errors')).toBe('OK');
  stack.put('AWS/SageMaker', dimensions, { Invocation5XXErrors: 1 });
  expect(await shown()).toMatchObject([{ AlarmName: 'errors', StateValue: 'ALARM' }]);
  await stack.clock.advance(60_000);
  expect(stack.stateOf('errors')).toBe('OK');
});

test('an alarm of several datapoints wants as many as it says', async () => {
  await putAlarm({ EvaluationPeriods: 3, DatapointsToAlarm: 2 });
  for (const [errors, state] of [
    [2, 'OK'],
    [0, 'OK'],
    [2, 'ALARM'],
  ] as const) {
    stack.put('AWS/SageMaker', dimensions, { Invocation5XXErrors: errors });
    expect(stack.stateOf('errors')).toBe(state);
    await stack.clock.advance(60_000);
  }
});

/** An alarm on an expression over two counters of one namespace. */
const putMath = (Expression: string) => {
  const metric = (Id: string) => ({
    Id,
    MetricStat: { Metric: { Namespace: 'own', MetricName: Id }, Period: 60, Stat: 'Sum' },
    ReturnData: false,
  });
  return stack.client.send(
    new PutMetricAlarmCommand({
      AlarmName: 'math',
      Metrics: [{ Id: 'result', Expression }, metric('errors'), metric('planned')],
      EvaluationPeriods: 1,
      Threshold: 2,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    }),
  );
};

test.each([
  ['SUM([errors, -planned])', { errors: 5, planned: 3 }, 'OK'],
  ['SUM([errors, -planned])', { errors: 5, planned: 2 }, 'ALARM'],
  ['SUM([errors, -planned])', { errors: 3 }, 'ALARM'],
  ['SUM([errors, -planned])', { planned: 3 }, 'OK'],
  ['SUM([errors, -planned])', {}, 'OK'],
  // An operator has a value only if both sides have, in CloudWatch too.
  ['errors - planned', { errors: 9 }, 'OK'],
  ['errors - planned', { errors: 9, planned: 1 }, 'ALARM'],
  ['-planned + errors', { errors: 9, planned: 1 }, 'ALARM'],
  ['SUM(METRICS())', { errors: 2, planned: 1 }, 'ALARM'],
])('an alarm on %s with %j is %s', async (expression, values, state) => {
  await putMath(expression);
  stack.put('own', {}, values);
  expect(stack.stateOf('math')).toBe(state);
  await stack.clock.advance(60_000);
  expect(stack.stateOf('math')).toBe('OK');
});

test.each(['FILL(errors, 0)', 'errors * 2', 'SUM([errors, planned', 'errors planned', 'unknown', ''])(
  'an alarm on %j is recorded only',
  async (expression) => {
    await putMath(expression || ' ');
    stack.put('own', {}, { errors: 9 });
    expect(await shown()).toMatchObject([
      { StateValue: 'INSUFFICIENT_DATA', StateReason: expect.stringContaining('Recorded only: ') },
    ]);
  },
);

test('without data an alarm has too few of them', async () => {
  await putAlarm({ TreatMissingData: undefined });
  expect(stack.stateOf('errors')).toBe('INSUFFICIENT_DATA');
});

test('SetAlarmState stands until the next evaluation', async () => {
  await putAlarm();
  await stack.client.send(
    new SetAlarmStateCommand({ AlarmName: 'errors', StateValue: 'ALARM', StateReason: 'a test' }),
  );
  expect(await shown()).toMatchObject([{ StateValue: 'ALARM', StateReason: 'a test' }]);
  await stack.clock.advance(60_000);
  expect(stack.stateOf('errors')).toBe('OK');
});

test('a deleted alarm is gone', async () => {
  await putAlarm();
  await stack.client.send(new DeleteAlarmsCommand({ AlarmNames: ['errors'] }));
  expect([await shown(), stack.stateOf('errors')]).toEqual([[], undefined]);
});
