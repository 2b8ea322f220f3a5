import type { AlarmBook } from '../alarm-book.ts';
import { AlarmProperties } from '../alarm-properties.ts';
import { checkAlarm } from '../check-alarm.ts';
import * as z from 'zod';

const Input = AlarmProperties.extend({ AlarmName: z.string().min(1).max(255) });

/** `PutMetricAlarm`: makes an alarm, or brings it to these settings. */
export function putMetricAlarm(alarms: AlarmBook) {
  return (body: unknown): void => {
    const { Tags: _, ...properties } = Input.parse(body);
    checkAlarm(properties);
    alarms.put(properties.AlarmName, properties);
  };
}
