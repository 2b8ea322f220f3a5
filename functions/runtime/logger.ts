import type { Subject } from './subject.ts';

/** One log line per fact: Lambda's JSON log format turns the object into a searchable record. No payload is ever logged. */
export interface Logger {
  info(code: string, fields?: Readonly<Record<string, unknown>>): void;
  error(code: string, fields?: Readonly<Record<string, unknown>>): void;
}

let subject: Subject = {};

/** Puts these names into each line from now on: an execution environment works on one event at a time. */
export function logAbout(next: Subject): void {
  subject = next;
}

/** Writes to the console: Lambda sends `info` and `error` to the function's log group at the levels INFO and ERROR. */
export const logger: Logger = {
  info: (code, fields) => console.info({ code, ...subject, ...fields }),
  error: (code, fields) => console.error({ code, ...subject, ...fields }),
};
