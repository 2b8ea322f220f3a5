import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { AlarmBook } from '../alarm-book.ts';
import { AlarmProperties } from '../alarm-properties.ts';
import { checkAlarm } from '../check-alarm.ts';

/** `PutMetricAlarm`: makes an alarm, or brings it to these settings. */
export const putMetricAlarm = (alarms: AlarmBook) =>
  action('PutMetricAlarm', {
    input: AlarmProperties.extend({ AlarmName: z.string().min(1).max(255) }),
    permissions: (input, action) => {
      const { AlarmName } = z.looseObject({ AlarmName: z.string().catch('') }).parse(input);
      return [{ action: `cloudwatch:${action}`, resource: alarms.arnOf(AlarmName) }];
    },
    run: ({ Tags: _, ...properties }) => {
      checkAlarm(properties);
      alarms.put(properties.AlarmName, properties);
    },
  });
