import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { AlarmBook } from '../alarm-book.ts';

/** `DeleteAlarms`; missing names are not an error. */
export const deleteAlarms = (alarms: AlarmBook) =>
  action('DeleteAlarms', {
    input: z.strictObject({ AlarmNames: z.array(z.string()).max(100) }),
    run: (input) => input.AlarmNames.forEach((name) => alarms.delete(name)),
  });
