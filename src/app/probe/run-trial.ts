import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { firstOf, type Trial } from '../../drop/frozen.ts';
import type { TrialSettings } from '../../probe/climb.ts';
import { causeWithExample } from '../../problem/cause-text.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { type MeasuredSpeed, measureJob } from '../../transform/measured-speed.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { readJobRecords } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { reportJson } from '../records/report.ts';
import { cancel } from '../run/cancel.ts';
import { repeatManifest } from '../run/repeat-manifest.ts';
import type { ExecutionsOf } from '../run/start-run.ts';
import type { ProbedDrop } from './newest-drop.ts';

/** Services of a trial. */
export interface TrialServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'start' | 'stop'>;
  readonly clock: () => Date;
  /** Waits until a run has ended and its job has stopped. */
  readonly awaitEnd: (run: RunParts) => Promise<void>;
  /** Deletes all versions of the objects below a prefix. */
  readonly purge: (bucket: string, prefix: string) => Promise<unknown>;
}

/** Outcome of a trial. */
export interface TrialEnd {
  readonly run: string;
  readonly settings: TrialSettings;
  /** Null if it failed; `failure` says why. */
  readonly speed: MeasuredSpeed | null;
  readonly failure: string | null;
  /** US dollars; null if the price isn't known. */
  readonly costUsd: number | null;
  /** Name of the SageMaker model that it used. */
  readonly model: string | null;
}

/**
 * Runs a sample of a drop on other settings through the pipeline's own state machine, measures its first job, and deletes its predictions.
 * At an abort the run is canceled first.
 */
export async function runTrial(
  { run: original, frozen }: ProbedDrop,
  trial: Trial,
  signal: AbortSignal,
  services: TrialServices,
): Promise<TrialEnd> {
  const { store, executions } = services;
  const origin = { mode: 'rerun', of: firstOf(frozen.origin, toRunId(original)) } as const;
  const started = await repeatManifest(original, { ...frozen, origin }, { store, executions }, trial);
  const run = RunParts.parse(started.run);
  let stopped: Promise<void> | undefined;
  const stop = (): void => {
    stopped ??= cancel({ run, by: 'inferdrop probe' }, services).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'RunEnded') throw error;
    });
  };
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) stop();
    await services.awaitEnd(run);
    await stopped;
    return await measureTrial(store, run, trial.transform);
  } finally {
    signal.removeEventListener('abort', stop);
    for (const prefix of [bucketLayout.predictions(run), bucketLayout.rowsFolder(run)])
      await services.purge(store.bucket, prefix);
  }
}

async function measureTrial(store: ObjectStore, run: RunParts, settings: TrialSettings): Promise<TrialEnd> {
  const [plan, records, report] = await Promise.all([
    planJson(run).read(store),
    readJobRecords(store, run),
    reportJson(run).read(store),
  ]);
  const costs = records.map((record) => record.costUsd);
  const costUsd = costs.reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0);
  const end = { run: toRunId(run), settings, costUsd, model: plan?.model.name ?? null };
  const failed = (failure: string): TrialEnd => ({ ...end, speed: null, failure });
  const job = records.find(({ kind }) => kind !== 'first-bundle');
  if (plan === undefined || job?.status !== 'Completed') {
    const [problem] = report?.problems ?? [];
    const why = problem
      ? `${problem.field} ${problem.message}`.trim()
      : report?.failure && causeWithExample(report.failure);
    return failed(why ?? job?.stopReason ?? job?.failureReason ?? 'it ended without a report');
  }
  const { measured: _measured, ...engine } = job.engine;
  const written = await openOutputs(store, run, plan).written();
  const figures = measureJob(job, written, 1);
  if (figures === undefined) return failed('its job has no times');
  const at = job.endedAt ?? job.createdAt;
  const facts = {
    run: end.run,
    at,
    model: plan.model.sha256,
    bundled: plan.bundle !== null,
    engine,
    objects: job.objects,
    costUsd: job.costUsd,
  };
  return { ...end, speed: { ...facts, ...figures }, failure: null };
}
