import { format } from 'node:util';

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/**
 * Puts the console's methods in Lambda's place: one JSON object or tab-separated line a call, with time, request id and level.
 * Writing to stdout or stderr directly, as loggers do, goes out as it is.
 */
export function takeOverConsole(options: {
  readonly logFormat: 'JSON' | 'Text';
  readonly logLevel: string | undefined;
  readonly requestId: () => string | undefined;
  readonly write: (line: string) => void;
}): void {
  const { write, logFormat, requestId } = options;
  const lowest = logFormat === 'JSON' ? LEVELS.indexOf(options.logLevel ?? 'INFO') : 0;
  const method =
    (level: string) =>
    (...values: unknown[]): void => {
      if (LEVELS.indexOf(level) < lowest) return;
      const time = new Date().toISOString();
      write(
        logFormat === 'JSON'
          ? toJsonLine(time, level, requestId(), values)
          : toTextLine(time, level, requestId(), values),
      );
    };
  console.trace = method('TRACE');
  console.debug = method('DEBUG');
  console.log = method('INFO');
  console.info = method('INFO');
  console.warn = method('WARN');
  console.error = method('ERROR');
  for (const stream of [process.stdout, process.stderr])
    stream.write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      for (const line of text.split('\n')) if (line !== '') write(line);
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    };
}

function toTextLine(
  time: string,
  level: string,
  requestId: string | undefined,
  values: readonly unknown[],
): string {
  return `${time}\t${requestId ?? 'undefined'}\t${level}\t${format(...values)}\n`;
}

function toJsonLine(
  time: string,
  level: string,
  requestId: string | undefined,
  values: readonly unknown[],
): string {
  const error = values.find((value) => value instanceof Error);
  const [only] = values;
  const isObject =
    values.length === 1 && typeof only === 'object' && only !== null && !(only instanceof Error);
  const line = {
    timestamp: time,
    level,
    ...(requestId === undefined ? {} : { requestId }),
    message: isObject ? only : format(...values),
    ...(error
      ? { errorType: error.name, errorMessage: error.message, stackTrace: (error.stack ?? '').split('\n') }
      : {}),
  };
  return `${stringify(line, values)}\n`;
}

function stringify(line: Readonly<Record<string, unknown>>, values: readonly unknown[]): string {
  try {
    return JSON.stringify(line);
  } catch {
    // A cycle, or a bigint: JSON has no form for it, text has.
    return JSON.stringify({ ...line, message: format(...values) });
  }
}
