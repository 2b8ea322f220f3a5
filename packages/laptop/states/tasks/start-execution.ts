import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Json } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';

/** Executions as Tasks of `states:startExecution` use them. */
export interface StartedExecutions {
  start(
    stateMachineArn: string,
    input: string,
    name: string | undefined,
  ): Promise<{ executionArn: string; startMs: number }>;
}

const StartArguments = z.strictObject({
  StateMachineArn: z.string().min(1),
  Input: z.custom<Json>(() => true).optional(),
  Name: z.string().optional(),
  TraceHeader: z.string().optional(),
});

/** Starts an execution and does not wait for its end. */
export async function startExecution(executions: StartedExecutions, args: Json): Promise<Json> {
  const parsed = StartArguments.safeParse(args);
  if (!parsed.success) {
    const problem = z.prettifyError(parsed.error);
    throw new StatesError(
      errorName.runtime,
      `The Arguments of states:startExecution are not valid: ${problem}`,
    );
  }
  const { StateMachineArn, Input = {}, Name } = parsed.data;
  const input = typeof Input === 'string' ? Input : JSON.stringify(Input);
  const { executionArn, startMs } = await asStatesError(executions.start(StateMachineArn, input, Name));
  return { ExecutionArn: executionArn, StartDate: startMs };
}

async function asStatesError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new StatesError(`StepFunctions.${error.code.replace(/(Exception)?$/, 'Exception')}`, error.message);
  }
}
