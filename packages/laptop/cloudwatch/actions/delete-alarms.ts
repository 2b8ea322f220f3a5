import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { AlarmBook } from '../alarm-book.ts';

/** `DeleteAlarms`; missing names are not an error. */
export const deleteAlarms = (alarms: AlarmBook) =>
  action('DeleteAlarms', {
    input: z.strictObject({ AlarmNames: z.array(z.string()).max(100) }),
    permissions: (input, action) => {
      const { AlarmNames } = z.looseObject({ AlarmNames: z.array(z.string()).catch([]) }).parse(input);
      return AlarmNames.map((name) => ({ action: `cloudwatch:${action}`, resource: alarms.arnOf(name) }));
    },
    run: (input) => input.AlarmNames.forEach((name) => alarms.delete(name)),
  });
