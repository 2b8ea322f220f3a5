import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { ExecutionDescription, Executions, ExecutionStatus } from '../../../aws/states/executions.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import type { Plan } from '../../../plan/plan.ts';
import { Condition } from '../../../problem/conditions.ts';
import { bucketLayout, listFolder } from '../../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../../run/run-id.ts';
import { plural } from '../../../text/figures.ts';
import { settingsOf } from '../../../transform/engine-settings.ts';
import { InstanceCapacity } from '../../../transform/instance-capacity.ts';
import type { JobRecord } from '../../../transform/job-record.ts';
import { batchSize, MEMORY_HOUR, PREDICT_TIMEOUT_MS } from '../../../transform/predict-function.ts';
import { readBundleHead } from '../../outputs/bundle-head.ts';
import { readBundleItems } from '../../records/bundle-items.ts';
import { shardProgress } from '../../records/shards.ts';
import type { Engine, EngineJob } from '../engine.ts';
import { lambdaStopper } from './lambda-stopper.ts';

const READS_AT_ONCE = 64;

/** The bundles of a job, summed up from the first lines of their answers. */
interface BundleSum {
  readonly bundles: number;
  /** Bundles without answers. */
  readonly missing: number;
  /** Inputs without an answer in the answered bundles. */
  readonly failed: number;
  /** Bundles without answers that a function may be at: it is not ended with its execution. */
  readonly underWay: number;
  /** Memory times time of work, in GB and milliseconds. */
  readonly gigabyteMs: number;
}

/** Calls that the engine makes. */
export interface LambdaEngineServices {
  readonly store: ObjectStore;
  /** Executions of the state machine predict-shards. */
  readonly executions: Pick<Executions, 'arnOf' | 'start' | 'describe' | 'stop'>;
  readonly clock: () => Date;
}

/**
 * Carries out jobs as executions of predict-shards, a state machine with a function for each bundle of inputs. Its
 * executions go by the names of jobs, so that a repeated start finds its job.
 */
export function lambdaEngine({ store, executions, clock }: LambdaEngineServices): Engine {
  return {
    async start({ run, plan, record }) {
      const { maxConcurrency } = settingsOf('lambda', record.engine);
      const items = bucketLayout.bundleItems(run, listFolder(run, record.input));
      const results = bucketLayout.shardResults(run, record.attempt);
      const batch = batchSize(bundlesOf(plan, record), maxConcurrency);
      const input = JSON.stringify({ schema: 1, run: toRunId(run), items, results, batch, maxConcurrency });
      try {
        await executions.start(record.jobName, input);
      } catch (error) {
        if (error instanceof Error && (error.name === 'Throttled' || error.name === 'ExecutionLimitExceeded'))
          throw new Condition('TransformThrottled', error.message, { cause: error });
        throw error;
      }
      return { status: 'started', record: { ...record, status: 'InProgress' } };
    },
    async look(job) {
      const found = await executions.describe(executions.arnOf(job.record.jobName));
      return found && withDescription(job, found, { store, now: clock() });
    },
    // Functions that are busy are waited for by the state machine itself.
    fallback: ({ record }) => ({
      error: new InstanceCapacity(['lambda'], [record.failureReason ?? 'no capacity'], 'transform.engine'),
    }),
    ...lambdaStopper(executions),
  };
}

/**
 * An execution that was stopped has ended; functions under way still write what they have, and are paid for: until then its
 * job is stopping.
 */
const STATUS: Readonly<Record<ExecutionStatus, JobRecord['status']>> = {
  RUNNING: 'InProgress',
  PENDING_REDRIVE: 'InProgress',
  SUCCEEDED: 'Completed',
  FAILED: 'Failed',
  TIMED_OUT: 'Failed',
  ABORTED: 'Stopped',
};

async function withDescription(
  { run, plan, record }: EngineJob,
  { status: found, startedAt, endedAt, error, cause }: ExecutionDescription,
  { store, now }: { readonly store: ObjectStore; readonly now: Date },
): Promise<JobRecord> {
  const seen = { ...record, status: STATUS[found], startedAt: startedAt.toISOString() };
  if (endedAt === undefined) return { ...seen, costUsd: mostUsd(plan, record, startedAt, now) };
  const sum = await sumBundles(store, run, listFolder(run, record.input), now);
  const price = priceOf(plan);
  const costUsd = price === null ? null : usdOf(sum.gigabyteMs / 1000, price);
  if (found === 'ABORTED' && sum.underWay > 0) return { ...seen, status: 'Stopping', costUsd };
  const missing = [
    ...(sum.failed > 0 ? [`${plural(sum.failed, 'input')} failed`] : []),
    ...(sum.missing > 0
      ? [`${plural(sum.missing, 'bundle')} of ${sum.bundles} ended without an answer`]
      : []),
  ];
  const why = error === undefined ? missing.join(', ') : `${error}: ${cause ?? ''}`;
  return {
    ...seen,
    ...(found === 'SUCCEEDED' && missing.length > 0 && { status: 'Failed' as const }),
    ...(error !== undefined && { error }),
    ...(why !== '' && { failureReason: why }),
    endedAt: endedAt.toISOString(),
    costUsd,
  };
}

/** Cost if all functions that may work have worked since the start: what they have really taken is known when they have ended. */
function mostUsd(plan: Plan, record: JobRecord, startedAt: Date, now: Date): number | null {
  const price = priceOf(plan);
  const { maxConcurrency, memoryMB } = settingsOf('lambda', record.engine);
  const bundles = bundlesOf(plan, record);
  const seconds = Math.max(0, (now.getTime() - startedAt.getTime()) / 1000);
  const gigabytes = (Math.min(maxConcurrency, bundles) * memoryMB) / 1024;
  return price === null ? null : usdOf(seconds * gigabytes, price);
}

function bundlesOf(plan: Plan, record: JobRecord): number {
  return Math.ceil(record.objects / (plan.bundle?.inputs ?? 1));
}

function priceOf({ cost }: Plan): number | null {
  return cost.pricesUsd[MEMORY_HOUR] ?? null;
}

function usdOf(gigabyteSeconds: number, usdPerGbHour: number): number {
  return Math.round(((gigabyteSeconds * usdPerGbHour) / 3600) * 1_000_000) / 1_000_000;
}

/** Sums up what the functions of a job have done: 500,000 inputs are some hundred reads. */
export async function sumBundles(
  store: ObjectStore,
  run: RunParts,
  list: string,
  now: Date,
): Promise<BundleSum> {
  const items = await readBundleItems(store, run, list);
  const written = new Map<string, number>();
  for await (const { key, size } of store.list(bucketLayout.listOutputs(run, list))) written.set(key, size);
  const sum = { bundles: items.length, missing: 0, failed: 0, underWay: 0, gigabyteMs: 0 };
  const heads = inOrder(items, READS_AT_ONCE, async ({ bundle }) => {
    const output = bucketLayout.bundleOutput(run, list, bundle);
    const head = await readBundleHead(store, { output, outputBytes: written.get(output) });
    return head ?? (await shardProgress(run, list, bundle).read(store));
  });
  for await (const [, found] of heads) {
    if (found === undefined || !('failed' in found)) sum.missing += 1;
    else sum.failed += found.failed.length;
    let ms = found?.ms ?? 0;
    if (found !== undefined && 'trying' in found && (found.trying !== null || found.opening)) {
      const triedMs = now.getTime() - Date.parse(found.triedAt);
      if (triedMs < PREDICT_TIMEOUT_MS) sum.underWay += 1;
      ms += Math.min(triedMs, PREDICT_TIMEOUT_MS);
    }
    sum.gigabyteMs += (ms * (found?.memoryMB ?? 0)) / 1024;
  }
  return sum;
}
