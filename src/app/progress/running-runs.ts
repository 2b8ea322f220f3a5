import type { Executions } from '../../aws/states/executions.ts';
import { readExecutionInput } from '../../run/execution-name.ts';
import { isAlive } from '../../run/execution-status.ts';
import { toRunId } from '../../run/run-id.ts';
import { parsedJson } from '../../text/parse-json.ts';
import type { Progress } from '../../transform/progress.ts';
import { shownLabel, stateLabel, stateNews } from './state-news.ts';

/** A run or training under way. */
export interface RunningRun {
  readonly run: string;
  readonly status: 'running';
  /** The step that it is in, in the words of `--wait`. */
  readonly step: string;
  /** The state that it is in; empty before its first. */
  readonly state: string;
  /** Inputs that had an output when its job was last looked at; null outside of its jobs. */
  readonly progress: Progress | null;
  readonly startedAt: string;
}

/** The runs of executions that haven't finished, newest first; `pipeline` leaves out other pipelines' runs. */
export async function runningRuns(
  executions: Pick<Executions, 'describe' | 'history'>,
  arns: readonly string[],
  pipeline: string | undefined,
): Promise<readonly RunningRun[]> {
  const found: RunningRun[] = [];
  for (const arn of arns) {
    const execution = await executions.describe(arn);
    if (execution?.input === undefined || !isAlive(execution)) continue;
    const run = readExecutionInput(execution.input);
    if (pipeline !== undefined && run.pipeline !== pipeline) continue;
    const startedAt = execution.startedAt.toISOString();
    found.push({ run: toRunId(run), status: 'running', ...(await standOf(executions, arn)), startedAt });
  }
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** Where an execution stands, by its newest events. */
async function standOf(
  { history }: Pick<Executions, 'history'>,
  arn: string,
): Promise<Pick<RunningRun, 'step' | 'state' | 'progress'>> {
  let state: string | undefined;
  for await (const event of history(arn, { newestFirst: true })) {
    // A choice takes no time and has no label: the state before it is the one that people wait for.
    if (event.state === undefined || shownLabel(event.state) === undefined) continue;
    if (event.type.endsWith('StateEntered')) state ??= event.state;
    if (state === undefined) continue;
    const step = stateLabel(state);
    if (step !== 'transform' || stateLabel(event.state) !== 'transform')
      return { step, state, progress: null };
    const news = event.output === undefined ? undefined : stateNews(event.state, parsedJson(event.output));
    if (news?.kind === 'transform') return { step, state, progress: news.progress };
  }
  return { step: state === undefined ? '' : stateLabel(state), state: state ?? '', progress: null };
}
