import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { answerOf } from '../../input/file-place.ts';
import type { LabelSums } from '../../judging/label-sums.ts';
import {
  type ClassScore,
  type DoubtedRecord,
  normalizedMargin,
  suspicion,
} from '../../judging/suspect-label.ts';
import { ClassList } from '../../label/class-list.ts';
import { resolvePrediction } from '../../label/resolve-prediction.ts';
import { outputShape } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { eachPrediction } from '../../prediction/read-output.ts';
import { compareSuspects, type SuspectLabel } from '../../report/suspect-labels.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { Shard } from '../../transform/shard-cutter.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { type Mistake, readMistakes } from '../records/mistakes.ts';
import { readShardEntries } from '../records/reconciled.ts';

/** Files of mistakes read at once. */
const CONCURRENT_FILES = 4;
/** Outputs read at once, if five scores aren't enough to decide. */
const CONCURRENT_OUTPUTS = 16;
/** Cap on these outputs: S3 serves this many in about half a minute. */
const MAX_OUTPUTS = 20_000;
/** Cap on the listed suspects: more than a person looks at. */
const MAX_LISTED = 10_000;

/** The mistakes of a run with a label worth a look. */
export interface FoundSuspects {
  /** Mistakes that were looked at. */
  readonly mistakes: number;
  readonly suspects: number;
  readonly undecided: number;
  /** The first of them, in their order. */
  readonly listed: readonly SuspectLabel[];
}

/**
 * Reads the mistakes of all shards once and finds those with a label worth a look. Memory holds the listed ones, and the mistakes of
 * one shard that need their output.
 *
 * @param shards those that have mistakes
 */
export async function findSuspects(
  store: ObjectStore,
  run: RunParts,
  {
    plan,
    sums,
    shards,
  }: { readonly plan: ScoringPlan; readonly sums: LabelSums; readonly shards: readonly Shard[] },
): Promise<FoundSuspects> {
  const { classOffset } = plan.labels;
  const classes = new ClassList(plan.labels.classes);
  const isSuspect = suspicion(sums.thresholds(classes.listed - classOffset));
  let [mistakes, suspects, undecided, left] = [0, 0, 0, MAX_OUTPUTS];
  let listed: SuspectLabel[] = [];
  /** Margin of the last of them, once there are too many. */
  let most = Infinity;
  const take = (mistake: Mistake, record: DoubtedRecord): void => {
    suspects++;
    const margin = normalizedMargin(record);
    if (margin > most) return;
    const { key, recordIndex, line, id, member, truth, predicted, score, truthScore } = mistake;
    const place = { key, recordIndex, line, id, ...(member !== undefined && { member }) };
    listed.push({ ...place, truth, predicted, confidence: score, truthScore, margin });
    if (listed.length <= 2 * MAX_LISTED) return;
    listed = firstOf(listed);
    most = listed.at(-1)?.margin ?? most;
  };
  const read = ({ shard }: Shard): Promise<Iterable<Mistake>> => readMistakes(store, run, shard);
  for await (const [shard, found] of inOrder(shards, CONCURRENT_FILES, read)) {
    const open: [Mistake, DoubtedRecord][] = [];
    for (const mistake of found) {
      const { truth, truthScore, best, counts } = mistake;
      if (!counts || truthScore === null) continue;
      mistakes++;
      const record = { label: classes.add(truth) - classOffset, labelScore: truthScore, best };
      const verdict = isSuspect(record);
      if (verdict === true) take(mistake, record);
      else if (verdict === undefined) {
        if (open.length < left) open.push([mistake, record]);
        else undecided++;
      }
    }
    left -= open.length;
    const whole = await readScores(store, run, { plan, shard, open: open.map(([mistake]) => mistake) });
    for (const [mistake, record] of open) {
      const scores = whole.get(mistake);
      const all = scores && { ...record, best: ranked(scores) };
      if (all === undefined) undecided++;
      else if (isSuspect(all) === true) take(mistake, all);
    }
  }
  return { mistakes, suspects, undecided, listed: firstOf(listed) };
}

function firstOf(suspects: readonly SuspectLabel[]): SuspectLabel[] {
  return suspects.toSorted(compareSuspects).slice(0, MAX_LISTED);
}

/** All scores, best first; of equal ones the lower index comes first. */
function ranked(scores: ArrayLike<number>): ClassScore[] {
  return Array.from(scores, (score, index): ClassScore => [index, score]).sort(([, a], [, b]) => b - a);
}

/** All scores of some mistakes of a shard, from their outputs. */
async function readScores(
  store: ObjectStore,
  run: RunParts,
  {
    plan,
    shard,
    open,
  }: { readonly plan: ScoringPlan; readonly shard: Shard; readonly open: readonly Mistake[] },
): Promise<ReadonlyMap<Mistake, ArrayLike<number>>> {
  const scores = new Map<Mistake, ArrayLike<number>>();
  if (open.length === 0) return scores;
  const classes = new ClassList(plan.labels.classes);
  const shape = outputShape(plan);
  const outputs = openOutputs(store, run, plan);
  const byName = Map.groupBy(open, (mistake) => answerOf(mistake).name);
  const entries = Iterator.from((await readShardEntries(store, run, shard)) ?? []).filter(({ name }) =>
    byName.has(name),
  );
  const read = ({ output }: { readonly output?: string | undefined }): Promise<Uint8Array | undefined> =>
    outputs.read(output);
  for await (const [{ name }, output] of inOrder(entries, CONCURRENT_OUTPUTS, read)) {
    if (output === undefined) continue;
    const wanted = new Map(byName.get(name)?.map((mistake) => [answerOf(mistake).answer, mistake]));
    let answer = 0;
    for (const prediction of eachPrediction(output, shape)) {
      const mistake = wanted.get(answer++);
      if (mistake === undefined) continue;
      const resolved = resolvePrediction(prediction, classes, plan.labels);
      if (resolved.scores !== undefined) scores.set(mistake, resolved.scores);
    }
  }
  return scores;
}
