import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { AlarmBook } from '../alarm-book.ts';

const Input = z.strictObject({
  AlarmName: z.string(),
  StateValue: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
  StateReason: z.string().max(1023),
});

/** `SetAlarmState`: stands until the alarm's next evaluation, for tests of what listens to it. */
export function setAlarmState(alarms: AlarmBook) {
  return (body: unknown): void => {
    const { AlarmName, StateValue, StateReason } = Input.parse(body);
    const alarm = alarms.get(AlarmName);
    if (!alarm)
      throw new AwsError('ResourceNotFound', `Alarm ${AlarmName} does not exist`, { statusCode: 404 });
    alarms.force(alarm, StateValue, StateReason);
  };
}
