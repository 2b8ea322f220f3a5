import type { Executions } from '../../aws/executions.ts';
import { toExecutionInput, toExecutionName } from '../../run/execution-name.ts';
import type { RunParts } from '../../run/run-id.ts';

/** Starts a run's execution; name and input derive from the run alone, so repeating it is harmless while it runs. */
export async function startRun(executions: Executions, run: RunParts): Promise<'started' | 'exists'> {
  const { outcome } = await executions.start(toExecutionName(run), toExecutionInput(run));
  return outcome;
}

/** The ARN that a run's execution has or would have. */
export function executionArnOf(executions: Pick<Executions, 'arnOf'>, run: RunParts): string {
  return executions.arnOf(toExecutionName(run));
}

/**
 * Whether a run's execution is over, so that work that a step of it still starts would have no owner. One that can be redriven is
 * not over; of one that Step Functions no longer knows nothing can be said.
 */
export async function isRunOver(
  executions: Pick<Executions, 'arnOf' | 'describe'>,
  run: RunParts,
): Promise<boolean> {
  const execution = await executions.describe(executions.arnOf(toExecutionName(run)));
  return execution !== undefined && execution.status !== 'RUNNING' && execution.status !== 'PENDING_REDRIVE';
}
