import type { Executions } from '../../aws/states/executions.ts';
import { toExecutionInput, toExecutionName } from '../../run/execution-name.ts';
import { isAlive } from '../../run/execution-status.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { RunKind } from '../../run/run-kind.ts';

/** The executions of runs of each kind: a kind has a state machine of its own. */
export type ExecutionsOf<Call extends keyof Executions> = (kind: RunKind) => Pick<Executions, Call>;

/** Starts a run's execution; name and input derive only from the run, so repeating it is harmless while it runs. */
export async function startRun(
  executions: ExecutionsOf<'start'>,
  run: RunParts,
): Promise<'started' | 'exists'> {
  const { outcome } = await executions(run.kind).start(toExecutionName(run), toExecutionInput(run));
  return outcome;
}

/** The ARN that a run's execution has or would have. */
export function executionArnOf(executions: ExecutionsOf<'arnOf'>, run: RunParts): string {
  return executions(run.kind).arnOf(toExecutionName(run));
}

/**
 * Whether a run's execution is over, so that work started by a remaining step would have no owner. One that can be redriven,
 * or that Step Functions no longer has, counts as not over.
 */
export async function isRunOver(
  executions: ExecutionsOf<'arnOf' | 'describe'>,
  run: RunParts,
): Promise<boolean> {
  const execution = await executions(run.kind).describe(executionArnOf(executions, run));
  return execution !== undefined && !isAlive(execution);
}
