import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onMachine } from '../asked-of-role.ts';
import type { StatesDeps } from './deps.ts';

/** The same name and input again, while it runs, are the same execution. */
export const startExecution = ({ executions }: StatesDeps) =>
  action('StartExecution', {
    input: z.strictObject({
      stateMachineArn: z.string(),
      name: z.string().optional(),
      input: z.string().default('{}'),
      traceHeader: z.string().optional(),
    }),
    permissions: onMachine,
    run: async ({ stateMachineArn, name, input }) => {
      const { executionArn, startMs } = await executions.start(stateMachineArn, input, name);
      return { executionArn, startDate: startMs / 1000 };
    },
  });
