import type { Ending } from './engine/execution.ts';
import type { HistoryEvent } from './engine/history.ts';
import { errorName } from './states-error.ts';
import type { Ended } from './store/execution-file.ts';

/** An ending as it is stored. */
export function endedBy(ending: Ending, stopMs: number): Ended {
  if (ending.status === 'SUCCEEDED') return { status: ending.status, stopMs, output: ending.output };
  const { status, error, cause } = ending;
  return {
    status,
    stopMs,
    ...(error === undefined ? {} : { error }),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** The failure of an execution that a stopped stack left and that cannot go on, and the event after `eventCount` others that records it. */
export function interruptedBy(
  error: unknown,
  eventCount: number,
  stopMs: number,
): { readonly ended: Ended; readonly event: HistoryEvent } {
  const cause = `The execution was interrupted and cannot go on: ${String(error)}`;
  const ended: Ended = { status: 'FAILED', stopMs, error: errorName.runtime, cause };
  const event = {
    timestamp: stopMs / 1000,
    type: 'ExecutionFailed',
    id: eventCount + 1,
    previousEventId: eventCount,
    executionFailedEventDetails: { error: ended.error, cause },
  };
  return { ended, event };
}
