import { executionArnOf, type ExecutionsOf } from '../../app/run/start-run.ts';
import { formatGeneration, parseGeneration } from '../../run/generation.ts';
import { toRunId } from '../../run/run-id.ts';
import { toRun } from './run-result.ts';

/** The run of files that arrived after `run` had frozen its manifest; undefined if there are none. */
export async function laterRun(
  executions: ExecutionsOf<'arnOf' | 'describe'>,
  run: string,
): Promise<string | undefined> {
  const parts = toRun(run);
  const generation = parseGeneration(parts.generation);
  if (generation === undefined) return undefined;
  const next = { ...parts, generation: formatGeneration(generation.number + 1) };
  const execution = await executions(next.kind).describe(executionArnOf(executions, next));
  return execution === undefined ? undefined : toRunId(next);
}
