import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalMessaging } from '../../support/local-messaging.ts';
import { localMessaging } from '../../support/local-messaging.ts';

let stack: LocalMessaging;
beforeAll(async () => void (stack = await localMessaging()));
afterAll(() => stack.close());

test('an alarm of a template is shown as recorded', async () => {
  await stack.make('AWS::CloudWatch::Alarm', {
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
  const { MetricAlarms } = await new CloudWatchClient(stack.client).send(new DescribeAlarmsCommand({}));
  expect(MetricAlarms).toMatchObject([
    {
      AlarmName: 'dead-letters',
      AlarmArn: 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:dead-letters',
      Threshold: 0,
      StateValue: 'INSUFFICIENT_DATA',
      StateReason: expect.stringContaining('evaluates no alarms'),
    },
  ]);
});
