import * as z from 'zod';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { DropState, GenerationMarks, StateObject } from '../../drop/drop-state.ts';
import { lastFreezingAt, lastShut, openGeneration, readDropState } from '../../drop/drop-state.ts';
import { toRunId } from '../../drop/run-id.ts';
import { readFrozen } from './frozen-manifest.ts';
import type { SettleExecutionServices } from './settle-execution.ts';
import { settleDeadExecution } from './settle-execution.ts';
import { stopLeftJobs } from '../transform/stop-left-jobs.ts';
import { executionArnOf, isRunOver, startRun } from './start-run.ts';

/** A schedule says nothing that matters here. */
export const SweepInput = z.object({});
export const SweepOutput = z.object({
  drops: z.int().nonnegative(),
  /** How many executions were found to be gone. */
  settled: z.int().nonnegative(),
  /** How many generations were opened for uploads that nobody took in. */
  opened: z.int().nonnegative(),
  /** How many transform jobs were stopped that ended executions had left running. */
  stopped: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});
export type SweepOutput = z.infer<typeof SweepOutput>;

export interface SweepServices extends SettleExecutionServices {
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** How long a run counts as ended lately, in milliseconds: three sweeps look at it. */
const LATELY_MS = 3 * 24 * 60 * 60 * 1000;

/** Once a day: settles what lost its execution without an event, opens what no event opened, stops jobs that were left. */
export async function sweep(
  _input: z.infer<typeof SweepInput>,
  services: SweepServices,
): Promise<SweepOutput> {
  const { store, warn } = services;
  const swept = { drops: 0, settled: 0, opened: 0, stopped: 0, failed: 0 };
  for await (const pipelineFolder of store.listFolders('state/')) {
    for await (const dropFolder of store.listFolders(pipelineFolder)) {
      const [, pipeline = '', drop = ''] = dropFolder.split('/');
      swept.drops += 1;
      try {
        const { settled, opened, stopped } = await sweepDrop({ pipeline, drop }, services);
        swept.settled += settled;
        swept.opened += opened;
        swept.stopped += stopped;
      } catch (error) {
        // One drop must not keep the sweep from the others; the number of failures is in the output.
        swept.failed += 1;
        warn('drop could not be swept', { pipeline, drop, error });
      }
    }
  }
  return swept;
}

interface Drop {
  readonly pipeline: string;
  readonly drop: string;
}

async function sweepDrop(
  drop: Drop,
  services: SweepServices,
): Promise<{ settled: number; opened: number; stopped: number }> {
  const objects: StateObject[] = [];
  for await (const object of services.store.list(bucketLayout.stateOf(drop.pipeline, drop.drop)))
    objects.push(object);
  const state = readDropState(drop.pipeline, drop.drop, objects);
  let settled = 0;
  let stopped = 0;
  for (const marks of [...state.generations, ...state.reruns]) {
    const isOver = marks.isClosed && marks.hasEnded;
    if (!isOver && (await settleIfGone(drop, marks, services))) settled += 1;
    if (isOver) stopped += await stopIfLeft(drop, marks, services);
  }
  return { settled, opened: (await openIfStranded(drop, state, services)) ? 1 : 0, stopped };
}

/** A step that was at work when its execution ended may have started its job after that was settled, and died. */
async function stopIfLeft(
  drop: Drop,
  { generation, endedAt }: GenerationMarks,
  services: SweepServices,
): Promise<number> {
  const run = { ...drop, generation };
  if (endedAt === undefined || services.clock().getTime() - endedAt.getTime() > LATELY_MS) return 0;
  return (await isRunOver(services.executions, run)) ? (await stopLeftJobs(run, services)).length : 0;
}

/** True if the generation's execution was gone. */
async function settleIfGone(drop: Drop, marks: GenerationMarks, services: SweepServices): Promise<boolean> {
  const run = { ...drop, generation: marks.generation };
  const executionArn = executionArnOf(services.executions, run);
  const execution = await services.executions.describe(executionArn);
  if (execution?.status === 'RUNNING' || execution?.status === 'PENDING_REDRIVE') return false;
  if (execution?.status === 'SUCCEEDED' && marks.isClosed) {
    const ended = {
      schema: 1,
      run: toRunId(run),
      status: 'unknown',
      endedAt: services.clock().toISOString(),
    };
    await services.store.createIfAbsent(bucketLayout.ended(run), JSON.stringify(ended), {
      contentType: 'application/json',
    });
    return true;
  }
  await settleDeadExecution(
    {
      run,
      executionArn,
      startedAt: execution?.startedAt ?? marks.freezingAt ?? services.clock(),
      error: execution?.error ?? 'ExecutionGone',
      cause: execution?.cause ?? `The run's execution is ${execution?.status ?? 'not known any more'}.`,
    },
    services,
  );
  return true;
}

/** Uploads were seen after the last listing began, or that listing was abandoned, and no execution waits for them. */
async function openIfStranded(drop: Drop, state: DropState, services: SweepServices): Promise<boolean> {
  const { store, executions } = services;
  const last = lastShut(state);
  const freezingAt = lastFreezingAt(state);
  const hasPulse = state.pulseAt !== undefined && (freezingAt === undefined || state.pulseAt > freezingAt);
  const frozen = last && (await readFrozen(store, { ...drop, generation: last.generation }));
  const isAbandoned = frozen?.status === 'abandoned' && frozen.reason !== 'cancelled';
  if (frozen?.reason === 'cancelled' || !(hasPulse || isAbandoned)) return false;

  const next = { ...drop, generation: openGeneration(state) };
  const executionArn = executionArnOf(executions, next);
  const execution = await executions.describe(executionArn);
  if (execution?.status === 'RUNNING') return false;
  if (execution === undefined) return (await startRun(executions, next)) === 'started';
  const cause = execution.cause ?? `The run's execution is ${execution.status}.`;
  const error = execution.error ?? 'ExecutionGone';
  await settleDeadExecution(
    { run: next, executionArn, startedAt: execution.startedAt, error, cause },
    services,
  );
  return true;
}
