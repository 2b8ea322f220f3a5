import * as z from 'zod';
import type { TrainingLogs } from '../../aws/logs/training-log.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { TrainingJobDescription, TrainingJobs } from '../../aws/sagemaker/training-jobs.ts';
import { totalCostUsd } from '../../price/quote.ts';
import { jobFailure } from '../../problem/aws-words.ts';
import { Condition } from '../../problem/conditions.ts';
import { RunParts } from '../../run/run-id.ts';
import { readsMetrics } from '../../training/log-metrics.ts';
import { reasonOfMetrics, watchLines } from '../../training/stop-rule.ts';
import type { MetricWatch, TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { reasonToStopTraining } from '../../training/watch-training.ts';
import { InstanceCapacity } from '../../transform/instance-capacity.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import { trainingJobJson } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { withTrainingJob } from '../run/described-training-job.ts';
import { useCase } from '../use-case.ts';
import { storeMetrics } from './store-metrics.ts';

/**
 * State of the job:
 *
 * - `running`: it is checked again after `waitSeconds`, also while its last log lines may be on their way
 * - `ended`: it is complete, or a limit stopped it and it left a model
 * - `no-capacity`: the next attempt tries the next instance type
 */
const Output = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('running'),
    waitSeconds: z.int().min(1),
    poll: z.int().min(1),
    secondaryStatus: z.string(),
    /** The last value of each metric in the last lines of the first host; null for one that is not a number. */
    metrics: z.record(z.string(), z.number().nullable()),
    lastLines: z.array(z.string().max(200)).max(3),
  }),
  z.object({ status: z.literal('ended'), jobStatus: z.enum(['Completed', 'Stopped']) }),
  z.object({ status: z.literal('no-capacity'), instance: z.int(), attempt: z.int() }),
]);

interface CheckTrainingServices {
  readonly store: ObjectStore;
  readonly training: Pick<TrainingJobs, 'describe' | 'stop'>;
  readonly logs: TrainingLogs;
  readonly clock: () => Date;
}

/** Wait after the end of the job: the last lines of its log arrive some seconds later. */
const LOG_DELAY_SECONDS = 5;
const LOOKED_AT_LINES = 100;
/** Caps on one check's reading of a running job's log (a line may have a megabyte); the next check goes on. */
const WATCHED = { lines: 20_000, characters: 8_000_000 } as const;
const SHOWN = { lines: 3, characters: 200 } as const;

/**
 * State `CheckTraining`: describes the running job, records its cost, stops it past the training's limits, and stores its metrics
 * when it has ended.
 *
 * @throws {InstanceCapacity} if the plan names no further instance type
 * @throws {Condition} `TrainingFailed` with SageMaker's reason, `TrainingInterrupted` if SageMaker itself is at fault, `TrainingStopped`
 * where there is no model, `TrainingJobMissing`
 */
export const checkTraining = useCase({
  /** Sent by state `CheckTraining`; `poll` counts the checks so far. */
  input: z.object({
    run: RunParts,
    attempt: z.int().min(1),
    jobName: z.string(),
    /** Index into the plan's instance types. */
    instance: z.int().nonnegative(),
    poll: z.int().nonnegative(),
  }),
  output: Output,
})(async ({ run, attempt, jobName, instance, poll }, services: CheckTrainingServices) => {
  const { store, training, clock } = services;
  const [plan, record, job] = await Promise.all([
    trainingPlanJson(run).require(store),
    trainingJobJson(run, attempt).require(store),
    training.describe(jobName),
  ]);
  if (job === undefined)
    throw new Condition('TrainingJobMissing', `SageMaker has no training job ${jobName}`);
  const now = clock();
  const seen = withTrainingJob(record, job, plan, now);

  if (seen.status === 'Completed' || seen.status === 'Failed' || seen.status === 'Stopped') {
    await trainingJobJson(run, attempt).write(store, seen);
    if (seen.capacity === true) return moveOn(plan, seen, instance);
    const since = (now.getTime() - (job.endedAt ?? job.createdAt).getTime()) / 1000;
    if (since >= 0 && since < LOG_DELAY_SECONDS) {
      const waitSeconds = Math.ceil(LOG_DELAY_SECONDS - since);
      return { status: 'running', waitSeconds, poll: poll + 1, ...(await readProgress(plan, job, services)) };
    }
    await storeMetrics(run, plan, job, services);
    return ended(store, seen);
  }

  const before = await Promise.all(
    Array.from({ length: attempt - 1 }, (_, index) => trainingJobJson(run, index + 1).require(store)),
  );
  const watch = await watchLog(seen, plan, services);
  const reason =
    seen.stopReason ??
    reasonToStopTraining(seen, totalCostUsd([seen, ...before]), plan, now) ??
    (watch && reasonOfMetrics(watch, plan.stop));
  const noted: TrainingJobRecord = {
    ...seen,
    ...(watch && { watch }),
    ...(reason !== undefined && { stopReason: reason }),
  };
  // The record comes first: if this Lambda dies here, the next call still stops the job.
  if (isNews(noted, record)) await trainingJobJson(run, attempt).write(store, noted);
  if (noted.stopReason !== undefined && job.status !== 'Stopping') await training.stop(jobName);
  const runSeconds = (now.getTime() - Date.parse(plan.createdAt)) / 1000;
  const waitSeconds = pollWaitSeconds(poll, runSeconds);
  return { status: 'running', waitSeconds, poll: poll + 1, ...(await readProgress(plan, job, services)) };
});

/** Whether a record differs from the one before in more than its growing cost. */
function isNews(noted: TrainingJobRecord, before: TrainingJobRecord): boolean {
  return (
    noted.status !== before.status ||
    noted.stopReason !== before.stopReason ||
    noted.secondaryStatus !== before.secondaryStatus ||
    noted.startedAt !== before.startedAt ||
    noted.phases.length !== before.phases.length ||
    noted.watch?.at !== before.watch?.at ||
    noted.watch?.lines !== before.watch?.lines
  );
}

/** Has the next instance type tried, if there is one. */
function moveOn(
  { instances: { types } }: TrainingPlan,
  { attempt, failureReason }: TrainingJobRecord,
  instance: number,
): z.infer<typeof Output> {
  const next = instance + 1;
  if (next >= types.length)
    throw new InstanceCapacity(types, [failureReason ?? 'no capacity'], 'training.instances.types');
  return { status: 'no-capacity', instance: next, attempt: attempt + 1 };
}

/** A job that a limit stopped may have left a model by then, which is judged as any other. */
async function ended(
  store: ObjectStore,
  { status, failureReason, stopReason, secondaryStatus = '', artifact = '', jobName }: TrainingJobRecord,
): Promise<z.infer<typeof Output>> {
  if (status === 'Failed')
    throw new Condition(
      jobFailure(failureReason) === 'service' ? 'TrainingInterrupted' : 'TrainingFailed',
      failureReason ?? `SageMaker gives no reason for ${jobName}`,
    );
  if (status === 'Completed') return { status: 'ended', jobStatus: 'Completed' };
  const isByLimit = stopReason !== undefined || /^Max(?:Runtime|WaitTime)Exceeded$/.test(secondaryStatus);
  const key = artifact.slice(`s3://${store.bucket}/`.length);
  const hasModel = key !== '' && (await store.describe(key)) !== undefined;
  if (isByLimit && hasModel) return { status: 'ended', jobStatus: 'Stopped' };
  const why = stopReason ?? (isByLimit ? secondaryStatus : 'StopTrainingJob was called');
  const left = hasModel ? `What it had saved by then is ${artifact}` : 'It left no model';
  throw new Condition('TrainingStopped', `${jobName} was stopped: ${why}. ${left}`);
}

/** Reads what is new in the first host's log while its script runs. A script that has ended is not stopped while its model is uploaded. */
async function watchLog(
  { jobName, secondaryStatus, stopReason, watch }: TrainingJobRecord,
  { metrics, stop }: TrainingPlan,
  { logs }: CheckTrainingServices,
): Promise<MetricWatch | undefined> {
  if (metrics.length === 0 || secondaryStatus !== 'Training' || stopReason !== undefined) return watch;
  const lines = [];
  let [again, fresh, characters] = [watch?.lines ?? 0, 0, 0];
  for await (const line of logs.all(jobName, watch && new Date(watch.at), undefined, 'algo-1')) {
    lines.push(line);
    if (line.at.toISOString() === watch?.at && again-- > 0) continue;
    characters += line.text.length;
    if (++fresh === WATCHED.lines || characters > WATCHED.characters) break;
  }
  return lines.length === 0 ? watch : watchLines(watch, lines, readsMetrics(metrics), stop);
}

async function readProgress(
  plan: TrainingPlan,
  { name, secondaryStatus }: TrainingJobDescription,
  { logs }: CheckTrainingServices,
): Promise<{ secondaryStatus: string; metrics: Record<string, number | null>; lastLines: string[] }> {
  const lines = await logs.end(name, LOOKED_AT_LINES);
  const read = readsMetrics(plan.metrics);
  const metrics: Record<string, number | null> = {};
  for (const { text } of lines) for (const { name: metric, value } of read(text)) metrics[metric] = value;
  const lastLines = lines
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '')
    .slice(-SHOWN.lines)
    .map((text) => text.slice(0, SHOWN.characters));
  return { secondaryStatus, metrics, lastLines };
}
