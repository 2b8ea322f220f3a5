import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
} from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddedMetrics } from '../../logs/embedded-metrics.ts';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let cloudwatch: CloudWatchClient;
beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
  cloudwatch = new CloudWatchClient(stack.client);
});
afterEach(() => stack.close());

const line = (own: object, metrics: object = {}) =>
  JSON.stringify({
    _aws: {
      Timestamp: 1,
      CloudWatchMetrics: [
        { Namespace: 'mine', Dimensions: [['kind']], Metrics: [{ Name: 'Failures' }], ...metrics },
      ],
    },
    ...own,
  });

test('what a function writes in the embedded metric format is a metric, and rings the alarm on it', async () => {
  await stack.make('AWS::CloudWatch::Alarm', {
    AlarmName: 'failures',
    Namespace: 'mine',
    MetricName: 'Failures',
    Dimensions: [{ Name: 'kind', Value: 'run' }],
    Statistic: 'Sum',
    Period: 300,
    EvaluationPeriods: 1,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  });
  const state = async () =>
    (await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: ['failures'] }))).MetricAlarms?.[0]
      ?.StateValue;
  expect(await state()).toBe('OK');
  const embedded = line({ kind: 'run', Failures: 2 });
  await stack.makeFunction(
    'counting',
    `export const handler = async () => { process.stdout.write(${JSON.stringify(`${embedded}\n`)}); }`,
    {
      LoggingConfig: { LogFormat: 'JSON' },
    },
  );
  await stack.lambda.functions.invoke('counting', Buffer.from('{}'));
  const { Datapoints } = await cloudwatch.send(
    new GetMetricStatisticsCommand({
      Namespace: 'mine',
      MetricName: 'Failures',
      Dimensions: [{ Name: 'kind', Value: 'run' }],
      StartTime: new Date(clock.now() - 600_000),
      EndTime: new Date(clock.now() + 600_000),
      Period: 1200,
      Statistics: ['Sum'],
    }),
  );
  expect(Datapoints).toMatchObject([{ Sum: 2 }]);
  expect(await state()).toBe('ALARM');
});

test('several values of a metric are several', () => {
  expect([...embeddedMetrics(line({ kind: 'run', Failures: [1, 2] }))].map(({ values }) => values)).toEqual([
    { Failures: 1 },
    { Failures: 2 },
  ]);
});

test.each([
  [
    'a line that the console has wrapped',
    JSON.stringify({ level: 'INFO', message: line({ kind: 'run', Failures: 1 }) }),
  ],
  ['a line without the dimension', line({ Failures: 1 })],
  ['a value that is text', line({ kind: 'run', Failures: '1' })],
  ['a line without a namespace', line({ kind: 'run', Failures: 1 }, { Namespace: undefined })],
  ['broken JSON', `${line({ kind: 'run', Failures: 1 })}}`],
])('%s is no metric', (_what, text) => expect([...embeddedMetrics(text)]).toEqual([]));
