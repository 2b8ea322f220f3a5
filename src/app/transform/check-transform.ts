import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { isFirstBundle } from '../../plan/is-pilot.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { RunParts } from '../../run/run-id.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import { toJobName } from '../../transform/job-name.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToStop } from '../../transform/limit-watch.ts';
import { pollWaitSeconds, waitUntilEnd } from '../../transform/poll-wait.ts';
import { secondsLeft } from '../../transform/progress.ts';
import type { Engine, Engines } from '../engine/engine.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { jobJson, writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';
import { hasWorked, readAttempts, tooManyErrors, toSpending } from './read-spending.ts';

/** Bundles of answers that a look at a running job reads. */
const MOST_HEADS = 64;
const NO_HEADS = { read: [], answered: 0, refused: 0 };

/**
 * State of the job:
 *
 * - `running`: it's checked again after `waitSeconds`; `progress` counts inputs with an output, by a sample if `approximate`
 * - `ended`: outputs are compared whatever its status, since a failed job's also count
 * - `no-capacity`: nothing ran; the next attempt tries other hardware
 */
const Output = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('running'),
    waitSeconds: z.int().min(1),
    poll: z.int().min(1),
    progress: z.object({ done: z.int(), total: z.int(), approximate: z.boolean() }),
  }),
  z.object({ status: z.literal('ended'), jobStatus: z.enum(['Completed', 'Failed', 'Stopped']) }),
  z.object({ status: z.literal('no-capacity'), attempt: z.int() }),
]);

interface CheckTransformServices {
  readonly store: ObjectStore;
  readonly engines: Engines;
  readonly clock: () => Date;
}

/**
 * State `CheckTransform`: looks at the running job, records its cost, and stops it past the run's limits.
 *
 * @throws {InstanceCapacity} if the plan names no further hardware, and no job has run
 * @throws {TransformJobMissing}
 */
export const checkTransform = useCase({
  /** Sent by state `CheckTransform`; `poll` counts the checks so far. */
  input: z.object({
    run: RunParts,
    attempt: z.int().min(1),
    poll: z.int().nonnegative(),
  }),
  output: Output,
})(async ({ run, attempt, poll }, { store, engines, clock }: CheckTransformServices) => {
  const [plan, record] = await Promise.all([
    planJson(run).require(store),
    jobJson(run, attempt).require(store),
  ]);
  const engine = engines[record.engine.name];
  const seen = await engine.look({ run, plan, record });
  if (seen === undefined)
    throw new Condition(
      'TransformJobMissing',
      `${record.engine.name} has no transform job ${record.jobName}`,
    );
  const now = clock();
  const outputs = openOutputs(store, run, plan);
  const { status } = seen;
  const isOver = status === 'Completed' || status === 'Failed' || status === 'Stopped';
  const heads =
    plan.limits.mostErrors === null || isFirstBundle(plan, record)
      ? undefined
      : await outputs.settle(seen, seen.heads ?? NO_HEADS, isOver ? Infinity : MOST_HEADS);
  const looked: JobRecord = { ...seen, ...(heads && { heads }) };

  if (isOver) {
    await writeJobRecord(store, run, looked);
    if (seen.capacity !== true) return { status: 'ended', jobStatus: status };
    return moveOn(store, run, { plan, seen, engine, now });
  }

  const attempts = [...(await readAttempts(store, run, attempt - 1)), looked];
  // A job that loses its answers runs to its end, and no further one starts.
  const byErrors = engineRules(seen.engine).losesStopped ? undefined : tooManyErrors(attempts, plan);
  const reason = reasonToStop(toSpending(attempts, plan, now)) ?? byErrors;
  const stopping = seen.status === 'Stopping' || seen.stopReason !== undefined;
  const noted = reason !== undefined && !stopping ? { ...looked, stopReason: reason } : looked;
  // The record comes first: if this Lambda dies here, the next call still stops the job.
  if (
    noted.status !== record.status ||
    noted.stopReason !== record.stopReason ||
    noted.startedAt !== record.startedAt ||
    noted.heads?.read.length !== record.heads?.read.length
  ) {
    await writeJobRecord(store, run, noted);
  }
  if (noted.stopReason !== undefined && seen.status !== 'Stopping') await engine.stop(record);
  const progress = await outputs.count(seen, plan);
  const runSeconds = (now.getTime() - Date.parse(plan.createdAt)) / 1000;
  const left = secondsLeft(seen, progress, now);
  const waitSeconds = waitUntilEnd(pollWaitSeconds(poll, runSeconds), left);
  return { status: 'running', waitSeconds, poll: poll + 1, progress };
});

/** The same inputs again on the plan's next hardware, if there is any. */
async function moveOn(
  store: ObjectStore,
  run: RunParts,
  {
    plan,
    seen,
    engine,
    now,
  }: { readonly plan: Plan; readonly seen: JobRecord; readonly engine: Engine; readonly now: Date },
): Promise<z.infer<typeof Output>> {
  const next = engine.fallback({ plan, record: seen });
  if ('error' in next) {
    if (!hasWorked(await readAttempts(store, run, seen.attempt))) throw next.error;
    // Predictions of the earlier jobs are scored; the other inputs are listed with this reason.
    await writeJobRecord(store, run, { ...seen, stopReason: next.error.message });
    return { status: 'ended', jobStatus: 'Failed' };
  }
  const attempt = seen.attempt + 1;
  const {
    capacity: _capacity,
    failureReason: _failure,
    startedAt: _started,
    endedAt: _ended,
    ...same
  } = seen;
  await writeJobRecord(store, run, {
    ...same,
    attempt,
    engine: next.settings,
    jobName: toJobName({ bucket: store.bucket, run: plan.run, plannedAt: plan.createdAt, attempt }),
    status: 'Planned',
    createdAt: now.toISOString(),
    costUsd: null,
  });
  return { status: 'no-capacity', attempt };
}
