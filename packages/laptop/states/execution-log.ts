import { createHash } from 'node:crypto';
import type { LogWriter } from '../kernel/ports.ts';
import type { Logging } from './definition/logging.ts';
import { type HistoryEvent, withoutData } from './engine/history.ts';

const FATAL = new Set(['ExecutionFailed', 'ExecutionAborted', 'ExecutionTimedOut']);
const ERROR = /(Failed|TimedOut|Aborted)$/;

/** Writes events of an execution to the machine's log groups, as its LoggingConfiguration says. */
export function executionLog(
  logs: LogWriter,
  logging: Logging,
  execution: { readonly arn: string; readonly machineName: string; readonly startMs: number },
): (event: HistoryEvent) => void {
  const groups = logging.destinations.map(({ cloudWatchLogsLogGroup }) =>
    groupName(cloudWatchLogsLogGroup.logGroupArn),
  );
  if (logging.level === 'OFF' || groups.length === 0) return () => undefined;
  const minute = new Date(execution.startMs).toISOString().slice(0, 16).replace(/[T:]/g, '-');
  const digest = createHash('sha256').update(execution.arn).digest('hex').slice(0, 8);
  const stream = `states/${execution.machineName}/${minute}/${digest}`;
  return (event) => {
    if (!isWanted(logging.level, event.type)) return;
    const { id, previousEventId, timestamp, type, ...named } = logging.includeExecutionData
      ? event
      : withoutData(event);
    const message = JSON.stringify({
      id: String(id),
      type,
      details: Object.values(named)[0] ?? {},
      previous_event_id: String(previousEventId),
      event_timestamp: String(Math.round(timestamp * 1000)),
      execution_arn: execution.arn,
    });
    for (const group of groups) logs.write(group, stream, message);
  };
}

function isWanted(level: Logging['level'], type: string): boolean {
  if (level === 'ALL') return true;
  return level === 'ERROR' ? ERROR.test(type) : FATAL.has(type);
}

function groupName(logGroupArn: string): string {
  return logGroupArn.replace(/^arn:[\w-]+:logs:[\w-]*:\d*:log-group:/, '').replace(/:\*$/, '');
}
