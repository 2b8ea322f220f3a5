import * as z from 'zod';
import { action, type AskedOfRole } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { AlarmProperties } from '../alarm.ts';
import type { AlarmBook } from '../alarm-book.ts';
import { checkAlarm } from '../check-alarm.ts';

const onAlarm =
  (alarms: AlarmBook): AskedOfRole =>
  (input, action) => {
    const { AlarmName } = z.looseObject({ AlarmName: z.string().catch('') }).parse(input);
    return [{ action: `cloudwatch:${action}`, resource: alarms.arnOf(AlarmName) }];
  };

/** Calls on alarms. */
export const alarmActions = (alarms: AlarmBook) => [
  /** `PutMetricAlarm`: makes an alarm, or brings it to these settings. */
  action('PutMetricAlarm', {
    input: AlarmProperties.extend({ AlarmName: z.string().min(1).max(255) }),
    permissions: onAlarm(alarms),
    run: ({ Tags: _, ...properties }) => {
      checkAlarm(properties);
      alarms.put(properties.AlarmName, properties);
    },
  }),
  /** `DescribeAlarms`, in one page. */
  action('DescribeAlarms', {
    input: z.strictObject({
      AlarmNames: z.array(z.string()).optional(),
      AlarmNamePrefix: z.string().default(''),
      AlarmTypes: z.array(z.enum(['MetricAlarm', 'CompositeAlarm'])).default(['MetricAlarm']),
      StateValue: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']).optional(),
    }),
    permissions: (_, action) => [{ action: `cloudwatch:${action}`, resource: alarms.arnOf('*') }],
    run: ({ AlarmNames, AlarmNamePrefix, StateValue }) => {
      const chosen = [...alarms.values()]
        .filter(({ name }) => (AlarmNames?.includes(name) ?? true) && name.startsWith(AlarmNamePrefix))
        .map((alarm) => ({ alarm, verdict: alarms.judge(alarm) }))
        .filter(({ verdict }) => (StateValue ?? verdict.state) === verdict.state);
      return {
        MetricAlarms: chosen.map(({ alarm: { name, arn, properties, updatedMs }, verdict }) => ({
          ActionsEnabled: true,
          ...properties,
          AlarmName: name,
          AlarmArn: arn,
          StateValue: verdict.state,
          StateReason: verdict.reason,
          StateUpdatedTimestamp: new Date(updatedMs),
          AlarmConfigurationUpdatedTimestamp: new Date(updatedMs),
        })),
        CompositeAlarms: [],
      };
    },
  }),
  /** `SetAlarmState`: lasts until the alarm's next evaluation; for testing the alarm's listeners. */
  action('SetAlarmState', {
    input: z.strictObject({
      AlarmName: z.string(),
      StateValue: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
      StateReason: z.string().max(1023),
    }),
    permissions: onAlarm(alarms),
    run: ({ AlarmName, StateValue, StateReason }) => {
      const alarm = alarms.get(AlarmName);
      if (!alarm)
        throw new AwsError('ResourceNotFound', `Alarm ${AlarmName} does not exist`, { statusCode: 404 });
      alarms.force(alarm, StateValue, StateReason);
    },
  }),
  /** `DeleteAlarms`; missing names are not an error. */
  action('DeleteAlarms', {
    input: z.strictObject({ AlarmNames: z.array(z.string()).max(100) }),
    permissions: (input, action) => {
      const { AlarmNames } = z.looseObject({ AlarmNames: z.array(z.string()).catch([]) }).parse(input);
      return AlarmNames.map((name) => ({ action: `cloudwatch:${action}`, resource: alarms.arnOf(name) }));
    },
    run: (input) => input.AlarmNames.forEach((name) => alarms.delete(name)),
  }),
];
