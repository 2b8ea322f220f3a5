import * as z from 'zod';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({
  stateMachineArn: z.string(),
  name: z.string().optional(),
  input: z.string().default('{}'),
  traceHeader: z.string().optional(),
});

/** The same name and input again, while it runs, are the same execution. */
export function startExecution({ executions }: StatesDeps) {
  return async (raw: unknown): Promise<unknown> => {
    const { stateMachineArn, name, input } = Input.parse(raw);
    const { executionArn, startMs } = await executions.start(stateMachineArn, input, name);
    return { executionArn, startDate: startMs / 1000 };
  };
}
