import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import {
  type DropState,
  type GenerationMarks,
  hasNewPulse,
  lastShut,
  openGeneration,
  readDropState,
  type StateObject,
  wasDoneBefore,
} from '../../drop/drop-state.ts';
import { staysShut } from '../../drop/frozen.ts';
import { bucketLayout, dropOfState } from '../../run/bucket-layout.ts';
import { isAlive } from '../../run/execution-status.ts';
import { type DropParts, toDropId } from '../../run/run-id.ts';
import { DAY_MS } from '../../text/milliseconds.ts';
import { frozenJson } from '../records/drop.ts';
import { sweepJson } from '../records/limits.ts';
import { markEnded } from '../records/run.ts';
import { useCase } from '../use-case.ts';
import { cleanUpAfter, type CleanUpRunServices } from './clean-up-run.ts';
import { executionArnOf, isRunOver, startRun } from './start-run.ts';
import { stopLeftJobs } from './stop-left-jobs.ts';

interface SweepServices extends CleanUpRunServices {
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Milliseconds after which the rest is left to the next sweep; default 10 minutes of the function's 15. */
  readonly budgetMs?: number;
}

const DEFAULT_BUDGET_MS = 600_000;
const DROPS_AT_ONCE = 16;
/** After its runs have ended, a drop is checked by three more daily sweeps: a step may have started a job after its execution ended. */
const LATELY_MS = 3 * DAY_MS;

/** Once a day: cleans up after executions that ended without an event, opens what no event opened, stops jobs that were left. */
export const sweep = useCase({
  /** Nothing of the schedule's event is used. */
  input: z.object({}),
  /** Counts of one sweep; what failed is also in the log, and is tried again by the next. */
  output: z.object({
    /** Drops that the sweep passed, most of them without a run under way. */
    drops: z.int().nonnegative(),
    /** How many executions were found to be gone. */
    cleaned: z.int().nonnegative(),
    /** How many generations were opened for uploads that no execution has taken in. */
    opened: z.int().nonnegative(),
    /** How many jobs, and runs that judge the model of a training, were stopped that ended executions had left running. */
    stopped: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    /** False if the time was up: the next sweep continues after the last of these drops. */
    isWhole: z.boolean(),
  }),
})(async (_input, services: SweepServices) => {
  const { store, warn, clock, budgetMs = DEFAULT_BUDGET_MS } = services;
  const startedAt = clock();
  const { lastPassAt, pass } = (await sweepJson().read(store)) ?? {};
  const since = new Date(lastPassAt === undefined ? 0 : Date.parse(lastPassAt) - LATELY_MS);
  const swept = { drops: 0, cleaned: 0, opened: 0, stopped: 0, failed: 0, isWhole: true };
  const untilTimeIsUp = async function* (): AsyncGenerator<SweptDrop> {
    for await (const drop of listDrops(store, pass?.after)) {
      if (clock().getTime() - startedAt.getTime() >= budgetMs) {
        swept.isWhole = false;
        return;
      }
      yield drop;
    }
  };
  let after = pass?.after;
  const results = inOrder(untilTimeIsUp(), DROPS_AT_ONCE, async ({ drop, objects }) => {
    const state = readDropState(drop, objects);
    if (wasDoneBefore(state, since)) return { cleaned: 0, opened: 0, stopped: 0, failed: 0 };
    try {
      return { ...(await sweepDrop(drop, state, since, services)), failed: 0 };
    } catch (error) {
      // One drop must not keep the sweep from the others; the number of failures is in the output.
      warn('drop could not be swept', { ...drop, error });
      return { cleaned: 0, opened: 0, stopped: 0, failed: 1 };
    }
  });
  for await (const [{ drop }, { cleaned, opened, stopped, failed }] of results) {
    swept.drops += 1;
    swept.cleaned += cleaned;
    swept.opened += opened;
    swept.stopped += stopped;
    swept.failed += failed;
    after = afterFolder(bucketLayout.stateOf(drop));
  }
  const passStartedAt = pass?.startedAt ?? startedAt.toISOString();
  await sweepJson().write(store, {
    schema: 1,
    ...(swept.isWhole ? { lastPassAt: passStartedAt } : lastPassAt !== undefined && { lastPassAt }),
    ...(!swept.isWhole && after !== undefined && { pass: { startedAt: passStartedAt, after } }),
  });
  return swept;
});

interface SweptDrop {
  readonly drop: DropParts;
  readonly objects: readonly StateObject[];
}

/** The drops after a key with the objects of their state, by one listing: a request for some hundred drops. */
async function* listDrops(store: ObjectStore, after: string | undefined): AsyncGenerator<SweptDrop> {
  let found: { drop: DropParts; objects: StateObject[] } | undefined;
  const startAfter = after === undefined ? {} : { startAfter: after };
  for await (const object of store.list(bucketLayout.state(), startAfter)) {
    const drop = dropOfState(object.key);
    if (drop === undefined) continue;
    if (found === undefined || toDropId(found.drop) !== toDropId(drop)) {
      if (found !== undefined) yield found;
      found = { drop, objects: [] };
    }
    found.objects.push(object);
  }
  if (found !== undefined) yield found;
}

/** A key that sorts after everything in the folder, for a listing to start after: `0` follows `/`. */
function afterFolder(folder: string): string {
  return `${folder.slice(0, -1)}0`;
}

async function sweepDrop(
  drop: DropParts,
  state: DropState,
  since: Date,
  services: SweepServices,
): Promise<{ cleaned: number; opened: number; stopped: number }> {
  let cleaned = 0;
  let stopped = 0;
  for (const marks of [...state.generations, ...state.reruns]) {
    const isOver = marks.isClosed && marks.hasEnded;
    if (!isOver && (await cleanUpIfGone(drop, marks, services))) cleaned += 1;
    if (isOver && (marks.endedAt ?? since) >= since) stopped += await stopIfLeft(drop, marks, services);
  }
  return { cleaned, opened: (await openIfStranded(drop, state, services)) ? 1 : 0, stopped };
}

/** Stops a job that was left: a step that was at work when its execution ended may have started its job after the clean-up, and died. */
async function stopIfLeft(
  drop: DropParts,
  { generation }: GenerationMarks,
  services: SweepServices,
): Promise<number> {
  const run = { ...drop, generation };
  const isOver = (): Promise<boolean> => isRunOver(services.executions, run);
  return (await stopLeftJobs(run, services, isOver)).length;
}

/** Cleans up after the generation if its execution is gone; true if it was. */
async function cleanUpIfGone(
  drop: DropParts,
  marks: GenerationMarks,
  services: SweepServices,
): Promise<boolean> {
  const run = { ...drop, generation: marks.generation };
  const executionArn = executionArnOf(services.executions, run);
  const execution = await services.executions(run.kind).describe(executionArn);
  if (isAlive(execution)) return false;
  if (execution?.status === 'SUCCEEDED' && marks.isClosed) {
    await markEnded(services.store, run, 'unknown', services.clock());
    return true;
  }
  await cleanUpAfter(
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

/** Opens a generation if uploads were seen after the last listing began, or that listing was abandoned, and no execution will take them. */
async function openIfStranded(drop: DropParts, state: DropState, services: SweepServices): Promise<boolean> {
  const { store, executions } = services;
  const last = lastShut(state);
  const frozen = last && (await frozenJson({ ...drop, generation: last.generation }).read(store));
  if (frozen !== undefined && staysShut(frozen)) return false;
  if (frozen?.status !== 'abandoned' && !hasNewPulse(state)) return false;

  const next = { ...drop, generation: openGeneration(state) };
  const executionArn = executionArnOf(executions, next);
  const execution = await executions(next.kind).describe(executionArn);
  if (isAlive(execution)) return false;
  if (execution === undefined) return (await startRun(executions, next)) === 'started';
  const cause = execution.cause ?? `The run's execution is ${execution.status}.`;
  const error = execution.error ?? 'ExecutionGone';
  await cleanUpAfter({ run: next, executionArn, startedAt: execution.startedAt, error, cause }, services);
  return true;
}
