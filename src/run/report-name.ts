import { day } from '../text/dates.ts';
import { MAX_EXECUTION_NAME, toExecutionName } from './execution-name.ts';
import type { RunParts } from './run-id.ts';

/**
 * Name of the execution that reports a dead run: one a day, so that an event that comes twice starts one, and the next day's
 * sweep retries a failed one.
 */
export function toReportName(run: RunParts, now: Date): string {
  const prefix = `${day(now)}-`;
  return `${prefix}${toExecutionName(run).slice(prefix.length - MAX_EXECUTION_NAME)}`;
}
