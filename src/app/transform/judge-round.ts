import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { decideEarly, nextRound } from '../../gate/early-gate.ts';
import { DrawnInputs } from '../../judging/cell-counts.ts';
import { ClusterSums } from '../../judging/cluster-sums.ts';
import { cellsFor, DRAW_CELLS } from '../../judging/draw.ts';
import type { DrawnBatches } from '../../judging/drawn-batches.ts';
import type { Plan, PlannedRounds, PlannedSample } from '../../plan/plan.ts';
import { toPlannedRecord } from '../../plan/planned-record.ts';
import { roundQuestion } from '../../plan/round-question.ts';
import { Condition } from '../../problem/conditions.ts';
import { RunParts } from '../../run/run-id.ts';
import {
  type BatchDependence,
  independence,
  isDoubted,
  mergeDependence,
} from '../../transform/batch-dependence.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToEnd } from '../../transform/limit-watch.ts';
import { shardsJson } from '../records/comparison.ts';
import { writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { tallyJson } from '../records/scoring.ts';
import { useCase } from '../use-case.ts';
import { readAttempts, toSpending } from './read-spending.ts';
import { writeRound } from './write-round.ts';

const CONCURRENT_READS = 16;

/** `transform`: the first attempt of a further round is recorded and is to start. `report`: the run ends with its current results. */
const Output = z.discriminatedUnion('next', [
  z.object({ next: z.literal('transform'), attempt: z.int().min(1), inputs: z.int(), of: z.int() }),
  z.object({
    next: z.literal('report'),
    /** `undecided` where a limit of the run allows no further round, or none could decide. */
    verdict: z.enum(['passed', 'failed', 'undecided']),
    inputs: z.int(),
    of: z.int(),
  }),
]);

interface JudgeRoundServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/**
 * State `JudgeRound`: after the answers of a round are counted it decides whether they suffice for the gate, or plans
 * the next round. The plan with the round is written last: a repetition before it decides the same from the same
 * tallies, and one after it finds the round.
 */
export const judgeRound = useCase({
  /** Sent by state `JudgeRound` with the last attempt of the round. */
  input: z.object({ run: RunParts, attempt: z.int().min(1) }),
  output: Output,
})(async ({ run, attempt: ended }, { store, clock }: JudgeRoundServices) => {
  const plan = await planJson(run).require(store);
  if (!isInRounds(plan)) throw new RangeError(`${plan.run} is in no round that could be judged`);
  const { rounds, sample } = plan;
  const { of } = rounds;
  const inputs = sample.inputs;
  const begun = rounds.attempts.at(-1) ?? 1;
  const records = await readAttempts(store, run, ended);
  const cut = whyCut(plan, records, begun > ended);
  const limit = cut ?? reasonToEnd(toSpending(records, plan, clock()));
  const stop = async (reason: string): Promise<z.infer<typeof Output>> => {
    // A round that could not start is listed already.
    const isSentWhole = cut === undefined && begun <= ended;
    const stopped = { reason, upTo: rounds.upTo.at(isSentWhole ? -1 : -2) ?? 0 };
    await planJson(run).write(store, { ...plan, rounds: { ...rounds, stopped } });
    return { next: 'report', verdict: 'undecided', inputs, of };
  };
  if (begun > ended)
    return limit === undefined
      ? { next: 'transform', attempt: begun, inputs: plan.objects, of }
      : stop(limit);
  if (cut !== undefined) return stop(cut);

  const question = roundQuestion(plan);
  const { batches, dependence } = await readAnswers(store, run, question.parts.length);
  // The gate fails whatever further rounds would answer.
  if (isDoubted(dependence)) return { next: 'report', verdict: 'failed', inputs, of };
  const answer = decideEarly(question, batches);
  if (answer.verdict !== undefined) return { next: 'report', verdict: answer.verdict, inputs, of };
  if (limit !== undefined) return stop(limit);
  const change = answer.bounds.find(({ kind }) => kind === 'change');
  if (change?.counted === 0 && inputs >= question.minInputs)
    return stop(`none of the ${inputs} inputs has an answer and a label in both runs`);
  const wanted = nextRound(question, answer, { first: rounds.first, drawn: inputs });
  const from = rounds.upTo.at(-1) ?? 0;
  const upTo = from + cellsFor(wanted, of - inputs, DRAW_CELLS - from);
  const attempt = ended + 1;
  const next = await writeRound(store, run, { plan, upTo, attempt });
  if (next === undefined) return stop('none of the inputs that were drawn next can be sent');
  const part = plan.jobs.length + 1;
  const record = toPlannedRecord(next, store.bucket, {
    attempt,
    part,
    at: clock(),
    outputsBefore: plan.objects,
  });
  const last = records.at(-1) ?? record;
  const engine = engineRules(record.engine).onHardwareOf(record.engine, last.engine);
  await writeJobRecord(store, run, { ...record, engine });
  await planJson(run).write(store, next);
  return { next: 'transform', attempt, inputs: next.objects, of };
});

/** A plan with rounds that may go on. */
type PlanInRounds = Plan & { readonly rounds: PlannedRounds; readonly sample: PlannedSample };

function isInRounds(plan: Plan): plan is PlanInRounds {
  return plan.rounds?.isOpen === true && plan.sample !== null;
}

/** Why some inputs of the round were never sent: those that were are then no random part of the drop, and decide nothing. */
function whyCut(
  { jobs, rounds }: PlanInRounds,
  records: readonly JobRecord[],
  isNextPlanned: boolean,
): string | undefined {
  const stopped = records.find(({ stopReason }) => stopReason !== undefined)?.stopReason;
  if (stopped !== undefined) return stopped;
  const sent = records.reduce((most, { part }) => Math.max(most, part), 0);
  const round = rounds.upTo.length - (isNextPlanned ? 1 : 0);
  const parts = jobs.filter((job) => job.round <= round).length;
  return sent < parts ? 'a limit of the run was reached before all jobs of the round' : undefined;
}

/** Reads the answers of all rounds, in the order of their draws, and whether they depend on each other. */
async function readAnswers(
  store: ObjectStore,
  run: RunParts,
  parts: number,
): Promise<{ readonly batches: DrawnBatches; readonly dependence: BatchDependence }> {
  const drawn = new DrawnInputs();
  const clusters = new ClusterSums();
  const dependence = independence();
  const shards = await shardsJson(run).require(store);
  const tallies = inOrder(shards, CONCURRENT_READS, ({ shard }) => tallyJson(run, shard).read(store));
  for await (const [{ shard }, stored] of tallies) {
    if (stored?.draws === undefined)
      throw new Condition(
        'TallyMissing',
        `${tallyJson(run, shard).key} does not count the draws of its inputs`,
      );
    drawn.merge(stored);
    if (stored.ledger.clusters !== undefined) clusters.merge(stored.ledger.clusters, (part) => part);
    mergeDependence(dependence, stored.dependence);
  }
  return { batches: { ...drawn.batches(parts), worth: clusters.worth() }, dependence };
}
