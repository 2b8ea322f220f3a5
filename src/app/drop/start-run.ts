import type { Executions } from '../../aws/executions.ts';
import { toExecutionInput, toExecutionName } from '../../drop/execution-name.ts';
import type { RunParts } from '../../drop/run-id.ts';

/** Starts a run's execution; name and input derive from the run alone, so repeating it is harmless while it runs. */
export async function startRun(executions: Executions, run: RunParts): Promise<'started' | 'exists'> {
  const { outcome } = await executions.start(toExecutionName(run), toExecutionInput(run));
  return outcome;
}

/** The ARN that a run's execution has or would have. */
export function executionArnOf(executions: Executions, run: RunParts): string {
  return executions.arnOf(toExecutionName(run));
}
