import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { isAlive } from '../../run/execution-status.ts';
import { parseRunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { evaluationJson } from '../records/training.ts';
import { executionArnOf, type ExecutionsOf } from './start-run.ts';

/** Services that stop judging runs, which are executions of `batch-inference`. */
export interface StopJudgingRunsServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'stop'>;
}

/**
 * Stops the runs that a training which is over has started to judge its model, and gives their names. The event of their end cleans up
 * after them, as after any run.
 */
export async function stopJudgingRuns(
  training: RunParts,
  { store, executions }: StopJudgingRunsServices,
  isOver: () => Promise<boolean>,
): Promise<string[]> {
  const { incumbentRun = null, candidateRun = null } = (await evaluationJson(training).read(store)) ?? {};
  const stopped: string[] = [];
  for (const asked of [incumbentRun, candidateRun]) {
    const run = asked?.isOwn === true ? parseRunId(asked.run) : undefined;
    // A rerun of a person may have taken the claimed name first.
    if (run === undefined || !(await isFor(store, run, training))) continue;
    const executionArn = executionArnOf(executions, run);
    const execution = await executions(run.kind).describe(executionArn);
    if (!isAlive(execution) || !(await isOver())) continue;
    const cause = `${toRunId(training)}, the training of the model that it judged, is over.`;
    await executions(run.kind).stop(executionArn, { error: 'Canceled', cause });
    stopped.push(toRunId(run));
  }
  return stopped;
}

async function isFor(store: ObjectStore, run: RunParts, training: RunParts): Promise<boolean> {
  const frozen = await frozenJson(run).read(store);
  return frozen?.candidate?.training === toRunId(training);
}
