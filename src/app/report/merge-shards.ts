import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { DrawnInputs } from '../../judging/cell-counts.ts';
import { CellExemplars } from '../../judging/cell-exemplars.ts';
import { LabelSums } from '../../judging/label-sums.ts';
import type { Ledger } from '../../judging/ledger.ts';
import { mergeLabelChanges } from '../../label/label-changes.ts';
import { mergeBlindReview } from '../../metric/blind-review.ts';
import type { Exemplar } from '../../metric/exemplar.ts';
import { type Flip, topFlips } from '../../metric/flip.ts';
import { mergePairTally, type PairTally } from '../../metric/pair-tally.ts';
import { mergeStored } from '../../metric/stored-tally.ts';
import type { Tally } from '../../metric/tally.ts';
import { Condition } from '../../problem/conditions.ts';
import type { ReportFailure } from '../../report/report.ts';
import { ERRORS_CSV } from '../../report/table/errors-csv.ts';
import { FLIPS_CSV } from '../../report/table/flips-csv.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { SliceTally } from '../../slice/slice-tally.ts';
import { type ShownAnswer, ShownAnswers } from '../../tasks/shown-answers.ts';
import { type BatchDependence, independence, mergeDependence } from '../../transform/batch-dependence.ts';
import type { Shard } from '../../transform/shard-cutter.ts';
import { shardsJson } from '../records/comparison.ts';
import { type ShardSums, type ShardTally, tallyJson } from '../records/scoring.ts';
import type { Explanations } from './explain-failures.ts';

/** Tallies that are read at once. */
const CONCURRENT_READS = 16;
/** Failures that the report itself shows; errors.csv has all. */
export const SHOWN_FAILURES = 200;

/** Cap on the exemplars of a run, by memory. */
const MAX_EXEMPLARS = 2_000;

/** Contents of the shards besides their sums. */
export interface MergedShards {
  /** The first failures. */
  readonly failures: ReportFailure[];
  /** The flips that the report shows. */
  readonly flips: Flip[];
  /** Records that stand for the cells of the matrix. */
  readonly exemplars: Exemplar[];
  /** Answers of a run that nobody judges. */
  readonly answers: ShownAnswer[];
  /** Evidence for labels worth a look. */
  readonly labels: MergedLabels;
  readonly dependence: BatchDependence;
}

/** The sums of all shards, and the shards that have mistakes. */
export interface MergedLabels {
  readonly sums: LabelSums;
  readonly shards: readonly Shard[];
}

/** The sums that all shards are added to. */
export interface MergedSums {
  readonly tally: Tally;
  readonly ledger: Ledger;
  /** Undefined if the plan has no dimensions. */
  readonly slices: SliceTally | undefined;
  /** Undefined if the run has no rounds. */
  readonly draws: DrawnInputs | undefined;
  /** Undefined without a baseline. */
  readonly pairs: PairTally | undefined;
}

/**
 * Adds the sums of all shards, by the labels of now and by those before, and writes errors.csv and flips.csv: memory
 * holds the merged sums and a few shards.
 *
 * @param before undefined if no earlier run's labels are compared
 */
export async function mergeShards(
  store: ObjectStore,
  run: RunParts,
  {
    now,
    before,
    labelChanges,
    blindReview,
  }: {
    readonly now: MergedSums;
    readonly before: MergedSums | undefined;
    readonly labelChanges: Parameters<typeof mergeLabelChanges>[0];
    readonly blindReview: Parameters<typeof mergeBlindReview>[0];
  },
  explain: Explanations['explain'],
): Promise<MergedShards> {
  const shards = await shardsJson(run).require(store);
  const shown: ReportFailure[] = [];
  const flipped: number[] = [];
  let flips: Flip[] = [];
  const exemplars = new CellExemplars(MAX_EXEMPLARS);
  const answers = new ShownAnswers();
  const sums = new LabelSums();
  const wrong: Shard[] = [];
  const dependence = independence();
  const read = ({ shard }: Shard): Promise<ShardTally> => readTally(store, run, shard);
  async function* csv(): AsyncGenerator<string> {
    yield ERRORS_CSV.header;
    for await (const [place, stored] of inOrder(shards, CONCURRENT_READS, read)) {
      const { comparison, labels } = stored;
      const failures = stored.failures.map(explain);
      for (const exemplar of stored.exemplars) exemplars.add(exemplar);
      for (const answer of stored.answers) answers.add(answer);
      addSums(now, stored);
      if (before !== undefined) addSums(before, stored.before ?? stored);
      if (stored.labelChanges !== undefined) mergeLabelChanges(labelChanges, stored.labelChanges);
      if (stored.blindReview !== undefined) mergeBlindReview(blindReview, stored.blindReview);
      mergeDependence(dependence, stored.dependence);
      sums.merge(labels.sums);
      if (labels.mistakes > 0) wrong.push(place);
      if (comparison !== undefined) {
        if (comparison.flips > 0) flipped.push(place.shard);
        flips = topFlips([...flips, ...comparison.topFlips]);
      }
      shown.push(...failures.slice(0, SHOWN_FAILURES - shown.length));
      if (failures.length > 0) yield failures.map(ERRORS_CSV.line).join('');
    }
  }
  await store.writeStream(bucketLayout.errors(run), csv(), { contentType: 'text/csv; charset=utf-8' });
  if (now.pairs !== undefined) {
    await store.writeStream(bucketLayout.flips(run), flipLines(store, run, flipped), {
      contentType: 'text/csv; charset=utf-8',
    });
  }
  return {
    failures: shown,
    flips,
    exemplars: exemplars.list(),
    answers: answers.list(),
    labels: { sums, shards: wrong },
    dependence,
  };
}

function addSums({ tally, ledger, slices, draws, pairs }: MergedSums, from: ShardSums): void {
  ledger.merge(from.ledger, mergeStored(tally, from.tally));
  slices?.merge(from.slices ?? []);
  draws?.merge(from);
  if (pairs !== undefined && from.comparison !== undefined) mergePairTally(pairs, from.comparison.tally);
}

async function* flipLines(
  store: ObjectStore,
  run: RunParts,
  shards: readonly number[],
): AsyncGenerator<Uint8Array | string> {
  yield FLIPS_CSV.header;
  const parts = inOrder(shards, CONCURRENT_READS, (shard) =>
    store.readBytes(bucketLayout.shardFlips(run, shard)),
  );
  for await (const [shard, bytes] of parts) {
    if (bytes === undefined)
      throw new Condition('TallyMissing', `${bucketLayout.shardFlips(run, shard)} is not there`);
    yield bytes;
  }
}

async function readTally(store: ObjectStore, run: RunParts, shard: number): Promise<ShardTally> {
  const { key, read } = tallyJson(run, shard);
  const tally = await read(store);
  if (tally !== undefined) return tally;
  const message = `${key} is not there: FoldPredictions has not finished this shard`;
  throw new Condition('TallyMissing', message);
}
