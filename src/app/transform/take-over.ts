import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { attemptsText } from '../../transform/attempts-text.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { comparisonProgress, shardsJson } from '../records/comparison.ts';
import { jobJson, listJobRecords } from '../records/jobs.ts';
import { readReconciled } from '../records/reconciled.ts';
import { compareRun, type CompareRunServices } from './compare-run.ts';

/** The inputs that are scored. */
interface TakenOver {
  readonly shards: number;
  readonly inputs: number;
  /** Inputs that have a prediction. */
  readonly outputs: number;
}

/**
 * Takes over the predictions of another run. If that run was compared after its last job, its comparison stands: inputs that were
 * overwritten or deleted since then were predicted as they were. If it ended before, its outputs are compared now.
 *
 * @throws {NothingPredicted}
 */
export async function takeOver(
  { run, of, plan }: { readonly run: RunParts; readonly of: RunParts; readonly plan: Plan },
  services: CompareRunServices,
): Promise<TakenOver | 'unfinished'> {
  const { store } = services;
  const records = await Array.fromAsync(listJobRecords(store, of));
  const attempts = records
    .filter(({ capacity }) => capacity !== true)
    .toSorted((a, b) => a.attempt - b.attempt);
  const last = attempts.at(-1);
  if (last === undefined) throw nothingToScore(of, 'it has had no transform job');
  const found = (await isCompared(store, of, last))
    ? await copyComparison(store, { run, of, last })
    : await compareRun(
        {
          run,
          plan,
          last,
          undone: 'a rescore starts no job',
          detail: (why) => attemptsText(attempts, why),
        },
        services,
      );
  if (found !== 'unfinished' && found.outputs === 0)
    throw nothingToScore(of, `none of its ${found.inputs} inputs has one`);
  return found;
}

function nothingToScore(of: RunParts, why: string): Condition {
  const name = toRunId(of);
  return new Condition(
    'NothingPredicted',
    `${name} has no prediction to score again: ${why}. inferdrop rerun ${name} predicts its inputs`,
  );
}

/**
 * Whether a run was compared after its last job. A comparison that is older than the last job's record does not include that
 * job's predictions.
 */
async function isCompared(store: ObjectStore, of: RunParts, last: JobRecord): Promise<boolean> {
  if (!['Completed', 'Failed', 'Stopped'].includes(last.status)) return false;
  const [compared, cut, ended] = await Promise.all([
    store.describe(bucketLayout.reconciled(of)),
    store.describe(bucketLayout.shards(of)),
    store.describe(jobJson(of, last.attempt).key),
  ]);
  if (compared === undefined || cut === undefined || ended === undefined) return false;
  return compared.lastModified >= ended.lastModified && cut.lastModified >= ended.lastModified;
}

async function copyComparison(
  store: ObjectStore,
  { run, of, last }: { readonly run: RunParts; readonly of: RunParts; readonly last: JobRecord },
): Promise<TakenOver> {
  const [shards, progress] = await Promise.all([
    shardsJson(of).require(store),
    comparisonProgress(of, last.attempt).read(store),
  ]);
  await store.copy({ bucket: store.bucket, key: bucketLayout.reconciled(of) }, bucketLayout.reconciled(run));
  await shardsJson(run).write(
    store,
    shards.map((shard) => ({ ...shard, run: toRunId(run) })),
  );
  const inputs = shards.reduce((sum, shard) => sum + shard.inputs, 0);
  // A comparison of several slices has left its counts; a short one is read again in less time.
  const outputs = progress?.isDone === true ? progress.counts.outputs : await countOutputs(store, of);
  return { shards: shards.length, inputs, outputs };
}

async function countOutputs(store: ObjectStore, of: RunParts): Promise<number> {
  let outputs = 0;
  for await (const { output } of readReconciled(store, of)) if (output !== undefined) outputs += 1;
  return outputs;
}
