import type { RunRow, Verdict } from '../../api/console/run-row.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { RunningWork } from '../../aws/sagemaker/running-work.ts';
import { wilsonInterval } from '../../metric/wilson-interval.ts';
import { isUncompleted } from '../../report/run-status.ts';
import { newestFirst } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { RUN_KIND_NAMES, type RunKind } from '../../run/run-kind.ts';
import { stepName } from '../progress/run-steps.ts';
import { type RunningRun, runningRuns } from '../progress/running-runs.ts';
import { isWait } from '../progress/state-news.ts';
import {
  type ListedRun,
  listRuns,
  pipelinesWithRuns,
  readEntries,
  type RunSummary,
} from '../records/run-index.ts';
import type { ExecutionsOf } from '../run/start-run.ts';

/** Services that find runs, under way and ended. */
export interface RunRowServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'describe' | 'history'>;
  readonly work: Pick<RunningWork, 'executions'>;
  /** ARNs of the state machines of runs. */
  readonly machines: Readonly<Record<RunKind, string>>;
}

/** Runs and trainings under way, newest first. */
export async function underWayRows(services: RunRowServices): Promise<readonly RunRow[]> {
  const found = await Promise.all(
    RUN_KIND_NAMES.map(async (kind) => {
      const arns = await services.work.executions(services.machines[kind]);
      return runningRuns(services.executions(kind), arns, undefined);
    }),
  );
  return found.flat().map(toUnderWayRow);
}

/**
 * The newest ended runs and trainings of all pipelines, newest first. The listing of the index tells their names; at most
 * `readAtMost` of their entries are read, the newest ones, and the other rows are `unread`.
 */
export async function endedRows(
  store: ObjectStore,
  limit: number,
  { readAtMost = limit }: { readonly readAtMost?: number } = {},
): Promise<readonly RunRow[]> {
  const listed = await listedRuns(store, limit);
  const read = await Array.fromAsync(readEntries(store, listed.slice(0, readAtMost)), toEndedRow);
  return [...read, ...listed.slice(readAtMost).map(toUnreadRow)].toSorted((a, b) =>
    (a.endedAt ?? '') < (b.endedAt ?? '') ? 1 : -1,
  );
}

/** The newest ended runs and trainings of all pipelines, newest first, as the listing of the index tells of them. */
export async function listedRuns(store: ObjectStore, limit: number): Promise<readonly ListedRun[]> {
  const found = await Promise.all(
    RUN_KIND_NAMES.map(async (kind) => {
      const pipelines = await pipelinesWithRuns(store, kind);
      return Promise.all(pipelines.map((one) => listRuns(store, kind, one, limit)));
    }),
  );
  return found.flat(2).toSorted(newestFirst).slice(0, limit);
}

/** An ended run in one line. */
export function toEndedRow(summary: RunSummary): RunRow {
  const { run, total, correct, accuracy, labeled, costUsd, seconds, endedAt } = summary;
  return {
    run,
    pipeline: RunParts.parse(run).pipeline,
    verdict: toVerdict(summary),
    step: null,
    progress: null,
    total,
    accuracy,
    // A sample's interval is for the whole drop, and only the report knows it.
    interval:
      correct === null || summary.sampleOf !== null ? null : (wilsonInterval(correct, labeled ?? 0) ?? null),
    costUsd,
    seconds,
    endedAt,
    startedAt: null,
  };
}

function toUnreadRow({ run, writtenAt }: ListedRun): RunRow {
  return {
    run: toRunId(run),
    pipeline: run.pipeline,
    verdict: 'unread',
    endedAt: writtenAt.toISOString(),
    step: null,
    progress: null,
    total: null,
    accuracy: null,
    interval: null,
    costUsd: null,
    seconds: null,
    startedAt: null,
  };
}

function toUnderWayRow({ run, state, startedAt, progress }: RunningRun): RunRow {
  return {
    run,
    pipeline: RunParts.parse(run).pipeline,
    progress,
    startedAt,
    verdict: state === '' || isWait(state) ? 'waiting' : 'running',
    step: stepName(state) ?? null,
    total: progress?.total ?? null,
    accuracy: null,
    interval: null,
    costUsd: null,
    seconds: null,
    endedAt: null,
  };
}

/** The word for how a run has ended: its gate's, unless it ended without figures. */
export function toVerdict({ status, gate }: Pick<RunSummary, 'status' | 'gate'>): Verdict {
  if (isUncompleted(status) || status === 'empty') return status;
  if (gate === 'none') return 'completed';
  return gate === 'passed' ? 'passed' : 'failed-gate';
}
