import type { ExecutionDescription, Executions } from '../../aws/states/executions.ts';
import { Condition } from '../../problem/conditions.ts';
import type { RunParts } from '../../run/run-id.ts';
import { VERIFY_PIPELINE } from '../../verify/probe-name.ts';
import type { VerifyServices } from './check.ts';

/** The one run of a verification through the whole stack. */
export function verificationRun(id: string): RunParts {
  return { kind: 'inference', pipeline: VERIFY_PIPELINE, drop: id, generation: '000001' };
}

const MAX_MS = 60 * 60_000;

/**
 * Waits for the end of an execution, which need not have begun.
 *
 * @throws {ExecutionTooSlow}
 */
export async function awaitExecution(
  executions: Pick<Executions, 'describe'>,
  arn: string,
  { wait, pollMs, clock }: Pick<VerifyServices, 'wait' | 'pollMs' | 'clock'>,
): Promise<ExecutionDescription> {
  const giveUpAt = clock().getTime() + MAX_MS;
  for (;;) {
    const found = await executions.describe(arn);
    if (found !== undefined && found.status !== 'RUNNING') return found;
    if (clock().getTime() > giveUpAt)
      throw new Condition('ExecutionTooSlow', `${arn} has not ended within ${MAX_MS / 60_000} minutes`);
    await wait(pollMs);
  }
}
