import { isUsersFault } from '../problem/conditions.ts';
import type { Measurement } from './measurement.ts';
import type { RUN_KINDS, RunKind } from './run-kind.ts';

/** Kind of work of an execution; each kind has an alarm. */
type Kind = (typeof RUN_KINDS)[RunKind]['noun'] | 'deployment';

/** An ended execution, as EventBridge reports it. */
interface EndedExecution {
  readonly executionArn: string;
  readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly error?: string | null | undefined;
}

/**
 * The metrics of an execution that failed. Step Functions itself counts those that timed out, which have an alarm of their own, and
 * those that were stopped, which have no alarm.
 */
export function measureEnd(
  kind: Kind,
  { executionArn, status, error }: EndedExecution,
): Measurement | undefined {
  if (status !== 'FAILED') return undefined;
  const name = error ?? 'States.Runtime';
  const byUser = Number(isUsersFault(name));
  return {
    facts: { kind, execution: executionArn.split(':').at(-1) ?? executionArn, error: name },
    groups: [{ by: [['kind']], values: { OperatorFailures: 1 - byUser, UserFailures: byUser } }],
  };
}
