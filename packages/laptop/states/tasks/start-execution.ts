import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { ExecutionFacts } from '../execution-facts.ts';
import { type Json, parseJson } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';

/** Executions as Tasks of `states:startExecution` use them. */
export interface NestedExecutions {
  start(
    stateMachineArn: string,
    input: string,
    name: string | undefined,
  ): Promise<{ executionArn: string; startMs: number }>;
  /** Resolves when it has ended. */
  ended(executionArn: string): Promise<ExecutionFacts>;
  stop(executionArn: string, error: string | undefined, cause: string | undefined): void;
}

const StartArguments = z.strictObject({
  StateMachineArn: z.string().min(1),
  Input: z.custom<Json>(() => true).optional(),
  Name: z.string().optional(),
  TraceHeader: z.string().optional(),
});

/** One attempt to run a nested execution. */
export interface NestedAttempt {
  /** Records StartExecution's answer in the history. */
  readonly submitted: (output: Json) => void;
  /** The execution that an attempt before the stack's end had started: it is waited for, and no other started. */
  readonly joined: string | undefined;
}

/** Starts a nested execution; with `.sync` waits for its end, and stops it when the Task is ended. */
export async function startNested(
  executions: NestedExecutions,
  pattern: 'request' | 'sync' | 'sync:2' | 'token',
  args: Json,
  signal: AbortSignal,
  { submitted, joined }: NestedAttempt,
): Promise<Json> {
  if (pattern === 'request' || pattern === 'token') return (await start(executions, args)).answer;
  let executionArn = joined;
  if (executionArn === undefined) {
    const started = await start(executions, args);
    submitted(started.answer);
    executionArn = started.executionArn;
  }
  const awaited = executionArn;
  const stop = (): void =>
    executions.stop(awaited, undefined, 'The Task that waits for this execution ended.');
  signal.addEventListener('abort', stop, { once: true });
  // The Task may have been ended while the execution was being started.
  if (signal.aborted) stop();
  const nested = await asStatesError(executions.ended(awaited)).finally(() =>
    signal.removeEventListener('abort', stop),
  );
  const result = resultOf(nested, pattern);
  if (nested.status === 'SUCCEEDED') return result;
  throw new StatesError(errorName.taskFailed, JSON.stringify(result));
}

async function start(
  executions: NestedExecutions,
  args: Json,
): Promise<{ executionArn: string; answer: Json }> {
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
  return { executionArn, answer: { ExecutionArn: executionArn, StartDate: startMs } };
}

async function asStatesError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new StatesError(`StepFunctions.${error.code.replace(/(Exception)?$/, 'Exception')}`, error.message);
  }
}

/** `.sync` gives input and output as text, `.sync:2` as values. */
function resultOf(nested: ExecutionFacts, pattern: 'sync' | 'sync:2'): Json {
  const data = (text: string): Json => (pattern === 'sync' ? text : parseJson(text));
  return {
    ExecutionArn: nested.arn,
    Input: data(nested.input),
    InputDetails: { Included: true },
    Name: nested.name,
    ...(nested.output === undefined
      ? {}
      : { Output: data(nested.output), OutputDetails: { Included: true } }),
    ...(nested.error === undefined ? {} : { Error: nested.error }),
    ...(nested.cause === undefined ? {} : { Cause: nested.cause }),
    StartDate: nested.startMs,
    StateMachineArn: nested.stateMachineArn,
    Status: nested.status,
    ...(nested.stopMs === undefined ? {} : { StopDate: nested.stopMs }),
  };
}
