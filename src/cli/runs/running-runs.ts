import { stateLabel } from '../../app/progress/state-news.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { readExecutionInput } from '../../run/execution-name.ts';
import { toRunId } from '../../run/run-id.ts';

/** A run or training under way. */
export interface RunningRun {
  readonly run: string;
  readonly status: 'running';
  /** The step that it is in, in the words of `--wait`. */
  readonly step: string;
  readonly startedAt: string;
}

/** The runs of executions that have not ended, newest first; `pipeline` leaves out those of others. */
export async function runningRuns(
  executions: Pick<Executions, 'describe' | 'history'>,
  arns: readonly string[],
  pipeline: string | undefined,
): Promise<readonly RunningRun[]> {
  const found: RunningRun[] = [];
  for (const arn of arns) {
    const execution = await executions.describe(arn);
    if (execution?.input === undefined || execution.status !== 'RUNNING') continue;
    const run = readExecutionInput(execution.input);
    if (pipeline !== undefined && run.pipeline !== pipeline) continue;
    const startedAt = execution.startedAt.toISOString();
    found.push({ run: toRunId(run), status: 'running', step: await stepOf(executions, arn), startedAt });
  }
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

async function stepOf({ history }: Pick<Executions, 'history'>, arn: string): Promise<string> {
  for await (const { type, state } of history(arn, { newestFirst: true }))
    if (state !== undefined && type.endsWith('StateEntered')) return stateLabel(state);
  return '';
}
