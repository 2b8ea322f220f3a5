import type { FunctionConfig } from './function-config.ts';
import type { Outcome } from './function-instance.ts';
import { LATEST } from './function-reference.ts';

/** The lines Lambda itself writes around an invocation. */
interface InvocationLog {
  start(nowMs: number): void;
  end(nowMs: number, outcome: Outcome): void;
}

/** Writes them in the function's log format; a system log level of WARN keeps them out, as in Lambda. */
export function invocationLog(
  config: FunctionConfig,
  requestId: string,
  write: (line: string) => void,
): InvocationLog {
  if (config.logFormat === 'JSON' && config.systemLogLevel === 'WARN') return { start: silent, end: silent };
  return config.logFormat === 'JSON' ? jsonLog(config, requestId, write) : textLog(config, requestId, write);
}

function silent(): void {}

function jsonLog(config: FunctionConfig, requestId: string, write: (line: string) => void): InvocationLog {
  const line = (nowMs: number, type: string, record: Readonly<Record<string, unknown>>): void =>
    write(JSON.stringify({ time: new Date(nowMs).toISOString(), type, record: { requestId, ...record } }));
  return {
    start: (nowMs) => line(nowMs, 'platform.start', { version: LATEST }),
    end: (nowMs, { durationMs, initMs, heapMb, status }) =>
      line(nowMs, 'platform.report', {
        metrics: {
          durationMs,
          billedDurationMs: Math.max(1, Math.ceil(durationMs + (initMs ?? 0))),
          memorySizeMB: config.memoryMb,
          maxMemoryUsedMB: heapMb,
          ...(initMs === undefined ? {} : { initDurationMs: initMs }),
        },
        status,
      }),
  };
}

function textLog(config: FunctionConfig, requestId: string, write: (line: string) => void): InvocationLog {
  return {
    start: () => write(`START RequestId: ${requestId} Version: ${LATEST}`),
    end: (nowMs, { durationMs, initMs, heapMb, status }) => {
      if (status === 'timeout')
        write(
          `${new Date(nowMs).toISOString()} ${requestId} Task timed out after ${config.timeoutSeconds.toFixed(2)} seconds`,
        );
      write(`END RequestId: ${requestId}`);
      const parts = [
        `REPORT RequestId: ${requestId}`,
        `Duration: ${durationMs} ms`,
        `Billed Duration: ${Math.max(1, Math.ceil(durationMs + (initMs ?? 0)))} ms`,
        `Memory Size: ${config.memoryMb} MB`,
        `Max Memory Used: ${heapMb} MB`,
        ...(initMs === undefined ? [] : [`Init Duration: ${initMs} ms`]),
        ...(status === 'success' ? [] : [`Status: ${status}`]),
      ];
      write(parts.join('\t'));
    },
  };
}

const TAIL_BYTES = 4096;

/** The tail of an invocation's log, which `LogType: Tail` returns. */
export interface LogTail {
  add(line: string): void;
  /** At most 4 KiB, as in Lambda. */
  readonly bytes: () => Buffer;
}

/** Collects lines; only the last 4 KiB stay in memory. */
export function logTail(): LogTail {
  let text = '';
  return {
    // No character is shorter than a byte.
    add: (line) => void (text = `${text}${line}\n`.slice(-TAIL_BYTES)),
    bytes: () => Buffer.from(text).subarray(-TAIL_BYTES),
  };
}
