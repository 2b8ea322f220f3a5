import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { takeInOrder } from '../../concurrency/in-order.ts';
import { type Flip, topFlips } from '../../metric/flip.ts';
import { toStoredPairTally } from '../../metric/pair-tally.ts';
import { outputShape } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { FLIPS_CSV } from '../../report/table/flips-csv.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { imageProperties } from '../../slice/dimension.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { storeFoldFailure } from '../records/fold-failure.ts';
import { readShardEntries, type ShardEntry } from '../records/reconciled.ts';
import { ShardSums, type ShardTally, tallyJson } from '../records/scoring.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { comparedFor, countsFor, readSetAside, type SetAside } from '../records/set-aside.ts';
import { useCase } from '../use-case.ts';
import { compareLabels } from './compare-labels.ts';
import { compareShard, type FoldedShard } from './compare-shard.ts';
import { drawnPairs } from './drawn-pairs.ts';
import { type OpenedTruth, openTruth } from './open-truth.ts';
import { ShardFold } from './shard-fold.ts';
import { sliceImages, type SliceImagesServices } from './slice-images.ts';

/** `MaxConcurrency` of the Distributed Map, and the inputs of a shard: how many Lambdas fold a run at once. */
const MAX_LAMBDAS = 16;
const SHARD_INPUTS = 5_000;
/**
 * Reads in flight over all of a run's Lambdas. S3 allows 5,500 GETs a second from a new prefix and answers a small one in about
 * 25 ms: more would only be refused with SlowDown, and refused shards start over.
 */
const READS_OF_RUN = 128;
const MAX_READS = 48;
/** Cap on the waiting bytes for files with many records, which have outputs about as long, and for images to look at. */
const READ_AHEAD_BYTES = 256 * 2 ** 20;

/** One item of the Distributed Map: a slice of `reconciled.jsonl`. */
const Input = z.object({
  run: RunParts,
  shard: z.int().nonnegative(),
  /** Bytes of reconciled.jsonl, `end` exclusive. */
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  inputs: z.int().nonnegative(),
});
/** How many records of the shard have a usable prediction; what the report needs is in the bucket. */
const Output = z.object({
  shard: z.int().nonnegative(),
  records: z.int().nonnegative(),
});

/**
 * Reads the outputs of one shard and writes its tally and its rows.
 *
 * @throws {ClassCountMismatch} if the model's number of scores isn't the pipeline's number of classes
 * @throws {TooManyLabels} if truths or predictions are not classes
 */
export const foldPredictions = useCase({
  input: Input,
  output: Output,
})(async (input, services: SliceImagesServices) => {
  try {
    return await foldShard(services, input);
  } catch (error) {
    await storeFoldFailure(services.store, input.run, error);
    throw error;
  }
});

async function foldShard(
  services: SliceImagesServices,
  { run, ...input }: z.infer<typeof Input>,
): Promise<z.infer<typeof Output>> {
  const { store } = services;
  const [plan, entries] = await Promise.all([
    scoringPlanJson(run).require(store),
    readEntries(store, run, input),
  ]);
  const [truth, setAside] = await Promise.all([openTruth(store, plan, entries), readSetAside(store, plan)]);
  const counts = countsFor(setAside);
  const { prefix } = plan.input;
  const lookAtImage = sliceImages(services, plan);
  const atOnce = readsAtOnce(plan, entries);
  const foldBy = async (truth: OpenedTruth) => {
    const outputs = openOutputs(store, run, plan);
    const fold = new ShardFold(plan, truth, counts);
    if (lookAtImage === undefined)
      await outputs.readEach(entries, atOnce, (entry, output) => fold.add(entry, output));
    else
      await takeInOrder(
        entries,
        atOnce,
        (entry) => Promise.all([outputs.read(entry.output), lookAtImage(entry)]),
        (entry, [output, image]) => fold.add(entry, output, image),
      );
    const folded = fold.finish(input.shard);
    const compared = await compare(store, plan, { entries, rows: folded.rows, prefix }, setAside);
    return { ...folded, compared, dependence: outputs.dependence() };
  };
  const now = await foldBy(truth);
  const relabeled =
    plan.labels.since.length > 0
      ? await compareLabels(store, plan, truth, { entries, rows: now.rows, prefix })
      : undefined;
  // Outputs are only read again if labels have changed.
  const before = relabeled?.before && (await foldBy(relabeled.before));
  const flips = now.compared?.flips ?? [];
  const tally: ShardTally = {
    ...now.stored,
    ...now.compared?.stored,
    dependence: now.dependence,
    ...(relabeled && { labelChanges: relabeled.changes, blindReview: relabeled.review }),
    ...(before && { before: ShardSums.parse({ ...before.stored, ...before.compared?.stored }) }),
  };
  await Promise.all([
    flips.length > 0 &&
      store.write(bucketLayout.shardFlips(run, input.shard), flips.map(FLIPS_CSV.line).join(''), {
        contentType: 'text/csv; charset=utf-8',
      }),
    tallyJson(run, input.shard).write(store, tally),
    store.write(bucketLayout.rows(run, input.shard), now.parquet, {
      contentType: 'application/vnd.apache.parquet',
    }),
    now.mistakes.length > 0 &&
      store.write(bucketLayout.shardMistakes(run, input.shard), now.mistakes, {
        contentType: 'application/x-ndjson',
      }),
  ]);
  return { shard: input.shard, records: now.stored.tally.predicted };
}

/** Compares the shard with the baseline run, if the plan names one. */
async function compare(
  store: ObjectStore,
  plan: ScoringPlan,
  shard: FoldedShard,
  setAside: SetAside | undefined,
): Promise<
  | { readonly flips: readonly Flip[]; readonly stored: Pick<ShardTally, 'comparison' | 'pairedDraws'> }
  | undefined
> {
  const baseline = plan.report.baseline?.run ?? null;
  if (baseline === null) return undefined;
  const { tally, flips, judged } = await compareShard(store, baseline, shard, comparedFor(setAside));
  return {
    flips,
    stored: {
      comparison: { tally: toStoredPairTally(tally), flips: flips.length, topFlips: topFlips(flips) },
      ...(plan.rounds && { pairedDraws: drawnPairs(plan.rounds.seed, shard.entries, judged) }),
    },
  };
}

/** Outputs that one Lambda reads at once; each waits in memory until those before it are folded. */
function readsAtOnce(plan: ScoringPlan, entries: Iterable<ShardEntry>): number {
  const lambdas = Math.min(MAX_LAMBDAS, Math.max(1, Math.ceil(plan.objects / SHARD_INPUTS)));
  const reads = Math.min(MAX_READS, Math.floor(READS_OF_RUN / lambdas));
  if (outputShape(plan).oneRecord && imageProperties(plan.report.slices).length === 0) return reads;
  let largest = 1;
  for (const { size } of entries) largest = Math.max(largest, size);
  return Math.max(1, Math.min(reads, Math.floor(READ_AHEAD_BYTES / largest)));
}

async function readEntries(
  store: ObjectStore,
  run: RunParts,
  range: { readonly start: number; readonly end: number },
): Promise<readonly ShardEntry[]> {
  const entries = await readShardEntries(store, run, range);
  if (entries === undefined)
    throw new Condition('RunFileMissing', `${bucketLayout.reconciled(run)} is not there`);
  return [...entries];
}
