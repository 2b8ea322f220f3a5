import * as z from 'zod';
import type { Documents } from '../../storage/document-file.ts';
import type { Alarm } from '../alarm.ts';

const Input = z.strictObject({
  AlarmNames: z.array(z.string()).optional(),
  AlarmNamePrefix: z.string().default(''),
  AlarmTypes: z.array(z.string()).optional(),
  StateValue: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']).optional(),
  ActionPrefix: z.string().optional(),
  MaxRecords: z.number().optional(),
  NextToken: z.string().optional(),
});

/** `DescribeAlarms`, in one page. Every alarm stands at INSUFFICIENT_DATA, since this stack measures nothing. */
export function describeAlarms(alarms: Documents<Alarm>) {
  return (input: unknown) => {
    const { AlarmNames, AlarmNamePrefix, StateValue = 'INSUFFICIENT_DATA' } = Input.parse(input);
    const chosen = [...alarms.values()].filter(
      ({ name }) => (AlarmNames?.includes(name) ?? true) && name.startsWith(AlarmNamePrefix),
    );
    return {
      MetricAlarms: (StateValue === 'INSUFFICIENT_DATA' ? chosen : []).map(
        ({ name, arn, properties, updatedMs }) => ({
          ActionsEnabled: true,
          ...properties,
          AlarmName: name,
          AlarmArn: arn,
          StateValue: 'INSUFFICIENT_DATA',
          StateReason: 'Recorded only: the local stack evaluates no alarms',
          StateUpdatedTimestamp: new Date(updatedMs),
          AlarmConfigurationUpdatedTimestamp: new Date(updatedMs),
        }),
      ),
      CompositeAlarms: [],
    };
  };
}
