import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { AlarmBook } from '../alarm-book.ts';

/** `DescribeAlarms`, in one page. */
export const describeAlarms = (alarms: AlarmBook) =>
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
  });
