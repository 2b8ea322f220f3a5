import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  PutMetricAlarmCommand,
  PutMetricDataCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { rollbackAlarms } from '../../src/aws/account/rollback-alarms.ts';

const client = mockClient(CloudWatchClient);
const alarms = rollbackAlarms('inferdrop/dev');
beforeEach(() => client.reset());

test('the alarm that is rung watches the metric whose data point rings it, of one configuration', async () => {
  await alarms.watch('e-disagrees', 'new');
  await alarms.ring('e-disagrees', 'new', 'why');
  const [{ input: alarm }] = client.commandCalls(PutMetricAlarmCommand)[0]!.args as any;
  const [{ input: data }] = client.commandCalls(PutMetricDataCommand)[0]!.args as any;
  const { Namespace, MetricName, Dimensions } = alarm;
  expect(data).toEqual({ Namespace, MetricData: [{ MetricName, Dimensions, Value: 1 }] });
  expect([Namespace, Dimensions]).toEqual(['inferdrop/dev', [{ Name: 'EndpointConfigName', Value: 'new' }]]);
  const states = client.commandCalls(SetAlarmStateCommand).map(({ args }) => args[0].input);
  expect(states).toEqual([{ AlarmName: 'e-disagrees', StateValue: 'ALARM', StateReason: 'why' }]);
});

test('an alarm that is not there is neither rung nor deleted, and other errors are not hidden', async () => {
  const failure = (name: string) => Object.assign(new Error(name), { name });
  client.on(SetAlarmStateCommand).rejects(failure('ResourceNotFound'));
  client.on(DeleteAlarmsCommand).rejects(failure('ResourceNotFound'));
  await alarms.ring('e-disagrees', 'new', 'why');
  await alarms.delete('e-disagrees');
  client.on(DeleteAlarmsCommand).rejects(failure('AccessDenied'));
  await expect(alarms.delete('e-disagrees')).rejects.toMatchObject({ name: 'AccessDenied' });
});

test('alarms on metrics and on alarms are judged; one that is not there is left out', async () => {
  const since = new Date(0);
  client.on(DescribeAlarmsCommand).resolves({
    MetricAlarms: [{ AlarmName: 'a', StateValue: 'ALARM', StateUpdatedTimestamp: since }],
    CompositeAlarms: [{ AlarmName: 'b', StateValue: 'INSUFFICIENT_DATA' }],
  });
  expect(await alarms.judged(['a', 'b', 'c'])).toEqual([
    { name: 'a', isRinging: true, since },
    { name: 'b', isRinging: false, since: undefined },
  ]);
});
