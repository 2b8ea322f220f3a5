import * as z from 'zod';
import type { AlarmBook } from '../alarm-book.ts';

const Input = z.strictObject({ AlarmNames: z.array(z.string()).max(100) });

/** `DeleteAlarms`; missing names are not an error. */
export function deleteAlarms(alarms: AlarmBook) {
  return (body: unknown): void => Input.parse(body).AlarmNames.forEach((name) => alarms.delete(name));
}
