import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { AlarmBook } from '../alarm-book.ts';

/** `SetAlarmState`: lasts until the alarm's next evaluation; for testing the alarm's listeners. */
export const setAlarmState = (alarms: AlarmBook) =>
  action('SetAlarmState', {
    input: z.strictObject({
      AlarmName: z.string(),
      StateValue: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
      StateReason: z.string().max(1023),
    }),
    permissions: (input, action) => {
      const { AlarmName } = z.looseObject({ AlarmName: z.string().catch('') }).parse(input);
      return [{ action: `cloudwatch:${action}`, resource: alarms.arnOf(AlarmName) }];
    },
    run: ({ AlarmName, StateValue, StateReason }) => {
      const alarm = alarms.get(AlarmName);
      if (!alarm)
        throw new AwsError('ResourceNotFound', `Alarm ${AlarmName} does not exist`, { statusCode: 404 });
      alarms.force(alarm, StateValue, StateReason);
    },
  });
