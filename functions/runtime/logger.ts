/** One log line per fact: Lambda's JSON log format turns the object into a searchable record. No payload is ever logged. */
export interface Logger {
  info(code: string, fields?: Readonly<Record<string, unknown>>): void;
  error(code: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Writes to the console: Lambda sends `info` and `error` to the function's log group at the levels INFO and ERROR. */
export const logger: Logger = {
  info: (code, fields) => console.info({ code, ...fields }),
  error: (code, fields) => console.error({ code, ...fields }),
};
