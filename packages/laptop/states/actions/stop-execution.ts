import * as z from 'zod';
import { ExecutionStopped } from '../engine/execution.ts';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({
  executionArn: z.string(),
  error: z.string().max(256).optional(),
  cause: z.string().max(32_768).optional(),
});

/** Of a machine, then when it has ended; or of a map run, where it ends by itself. */
export function stopExecution({ executions, runningChildren, clock }: StatesDeps) {
  return async (raw: unknown): Promise<unknown> => {
    const { executionArn, error, cause } = Input.parse(raw);
    const child = runningChildren.get(executionArn);
    if (child) {
      child.execution.controller.abort(new ExecutionStopped(error, cause));
      return { stopDate: clock.now() / 1000 };
    }
    executions.stop(executionArn, error, cause);
    const { stopMs } = await executions.ended(executionArn);
    return { stopDate: (stopMs ?? clock.now()) / 1000 };
  };
}
