import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onExecution } from '../asked-of-role.ts';
import { ExecutionStopped } from '../engine/execution.ts';
import type { StatesDeps } from './deps.ts';

/** Stops an execution of a machine and answers when it has stopped; children of a map run stop on their own. */
export const stopExecution = ({ executions, runningChildren, clock }: StatesDeps) =>
  action('StopExecution', {
    input: z.strictObject({
      executionArn: z.string(),
      error: z.string().max(256).optional(),
      cause: z.string().max(32_768).optional(),
    }),
    permissions: onExecution,
    run: async ({ executionArn, error, cause }) => {
      const child = runningChildren.get(executionArn);
      if (child) {
        child.execution.controller.abort(new ExecutionStopped(error, cause));
        return { stopDate: clock.now() / 1000 };
      }
      executions.stop(executionArn, error, cause);
      const { stopMs } = await executions.ended(executionArn);
      return { stopDate: (stopMs ?? clock.now()) / 1000 };
    },
  });
