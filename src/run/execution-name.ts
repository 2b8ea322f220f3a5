import { createHash } from 'node:crypto';
import * as z from 'zod';
import { RunParts, toRunId } from './run-id.ts';
import { RUN_KINDS } from './run-kind.ts';

/** Characters that Step Functions takes for a name. */
export const MAX_EXECUTION_NAME = 80;
const HASH_LENGTH = 16;

/**
 * Name of a run's execution: ASCII, at most 80 characters, readable, and unique by a hash of the run.
 *
 * Derived only from the run, so that every starter of the run starts the same execution.
 */
export function toExecutionName(run: RunParts): string {
  const hash = createHash('sha256').update(toRunId(run)).digest('hex').slice(0, HASH_LENGTH);
  const tail = `-${run.generation}-${hash}`;
  const words = `${RUN_KINDS[run.kind].prefix}${run.pipeline}-${run.drop}`.replace(/[^A-Za-z0-9_-]+/g, '-');
  return `${words.slice(0, MAX_EXECUTION_NAME - tail.length)}${tail}`;
}

/** Input of a run's execution: the same text every time, or Step Functions would see another execution. */
export function toExecutionInput(run: RunParts): string {
  return JSON.stringify({ schema: 1, run: toRunId(run) });
}

const ExecutionInput = z.object({ run: RunParts });

/**
 * The run that an execution's input names.
 *
 * @throws {z.ZodError} if it names none
 */
export function readExecutionInput(text: string): RunParts {
  return ExecutionInput.parse(JSON.parse(text)).run;
}
