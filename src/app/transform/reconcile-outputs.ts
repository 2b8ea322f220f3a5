import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { currentRound } from '../../plan/current-round.ts';
import { isFirstBundle, isPilot } from '../../plan/is-pilot.ts';
import type { Plan } from '../../plan/plan.ts';
import { toPlannedRecord } from '../../plan/planned-record.ts';
import { predictedBy } from '../../plan/predicted-by.ts';
import { correctedQuote } from '../../plan/quote/corrected-quote.ts';
import { Condition } from '../../problem/conditions.ts';
import { listFolder } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { attemptsText } from '../../transform/attempts-text.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToEnd } from '../../transform/limit-watch.ts';
import {
  type AttemptsSoFar,
  BOTH_HALVES_FAILED,
  decideNextAttempt,
  type NextAttempt,
} from '../../transform/next-attempt.ts';
import { ENOUGH_FAILURES, repeatedFailure } from '../../transform/repeated-failure.ts';
import { smallerBundles } from '../../transform/request-limits.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { readBundleItems } from '../records/bundle-items.ts';
import { writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';
import { compareRun, type CompareRunServices } from './compare-run.ts';
import { giveUpBundles, keepBundleFact, removeAnswers, whyUnusable } from './judge-first-bundle.ts';
import { judgePilot } from './judge-pilot.ts';
import { planRetry } from './plan-retry.ts';
import { readAttempts, tooManyErrors, toSpending } from './read-spending.ts';
import type { Comparison } from './reconciled-writer.ts';
import { takeOver } from './take-over.ts';

type ReconcileServices = CompareRunServices & { readonly logs: LogsByEngine };

/** `transform`: the next attempt is recorded and is to start. `fold`: predictions are scored; `missing` inputs have no prediction. */
const Output = z.discriminatedUnion('next', [
  z.object({ next: z.literal('transform'), attempt: z.int() }),
  /** The first bundle has no usable answer: the run is planned again without bundles, and goes on with this attempt. */
  z.object({ next: z.literal('plan'), attempt: z.int() }),
  /** The time is up: the comparison continues in the next invocation, with the same input. */
  z.object({ next: z.literal('reconcile') }),
  z.object({
    next: z.literal('fold'),
    shards: z.int(),
    inputs: z.int(),
    missing: z.int(),
    /** Whether the predictions are a round's, so that state `JudgeRound` decides how the run goes on. */
    isRound: z.boolean(),
  }),
]);

/**
 * State `ReconcileOutputs`: compares inputs and outputs, whatever the job's status, and decides the next step. One bad file makes SageMaker
 * call a job `Failed` though the outputs of all others are complete, so between two jobs of the plan one output is enough; all outputs are
 * compared when the last job has ended, or when a job has left none. The answers of the plan's pilot are read before the next job is paid
 * for, and so is its first bundle. A rescore has no attempt: it takes over existing predictions.
 *
 * @throws `OutputLayoutUnexpected` if SageMaker wrote an output to a place that belongs to no input
 * @throws {NothingPredicted}
 * @throws {PilotFailed}
 */
export const reconcileOutputs = useCase({
  /** Sent by state `ReconcileOutputs` with the attempt that has ended; its job is known by its record. */
  input: z.object({ run: RunParts, attempt: z.int().min(1) }),
  output: Output,
})(async ({ run, attempt: ended }, services: ReconcileServices) => {
  const { store, clock } = services;
  const plan = await planJson(run).require(store);
  if (plan.predictions !== null) {
    const taken = await takeOver({ run, of: predictedBy(run, plan), plan }, services);
    if (taken === 'unfinished') return { next: 'reconcile' };
    const { shards, inputs, outputs } = taken;
    return { next: 'fold', shards, inputs, missing: inputs - outputs, isRound: false };
  }
  const records = await readAttempts(store, run, ended);
  const last = records.at(-1);
  if (last === undefined) throw new RangeError(`attempt must be 1 or more, is ${ended}`);
  const attempt = ended + 1;
  // Repeated: it was given up.
  if (last.kind === 'first-bundle') return { next: 'plan', attempt };
  const { firstAttempt } = currentRound(plan);
  const attempts = records.filter(
    ({ capacity, kind, attempt: number }) =>
      capacity !== true && kind !== 'first-bundle' && number >= firstAttempt,
  );
  const spent =
    last.stopReason ?? reasonToEnd(toSpending(records, plan, clock())) ?? tooManyErrors(records, plan);
  const parts = plan.jobs.length;
  const begin = async (record: JobRecord): Promise<z.infer<typeof Output>> => {
    const engine = engineRules(record.engine).onHardwareOf(record.engine, last.engine);
    await writeJobRecord(store, run, { ...record, engine });
    return { next: 'transform', attempt };
  };
  const beginPart = (part: number, outputsBefore: number): ReturnType<typeof begin> =>
    begin(toPlannedRecord(plan, store.bucket, { attempt, part, at: clock(), outputsBefore }));

  const { firstBundle } = plan;
  if (firstBundle !== null && isFirstBundle(plan, last)) {
    const tries = records.filter(({ capacity }) => capacity !== true);
    const why = await whyUnusable(store, run, last, services.logs);
    if (why !== undefined && spent === undefined) {
      if (tries.length === 1 && engineRules(last.engine).hasFailedItself(last)) return beginPart(1, 0);
      await giveUpBundles(store, run, tries, { attempt, why });
      return { next: 'plan', attempt };
    }
    if (why === undefined) await keepBundleFact(store, plan.run, firstBundle, null, clock());
    else await removeAnswers(store, run, last);
  }

  if (isPilot(plan, last) && spent === undefined) {
    const part = await partAfterPilot(store, run, plan, attempts, last);
    return beginPart(part, part === last.part ? 0 : last.outputsBefore + last.objects);
  }

  const isRetry = last.kind === 'retry';
  const yielded =
    (last.kind === 'part' && last.status === 'Completed') ||
    (!isRetry && (await openOutputs(store, run, plan).hasAny(last, plan)));
  const verdict = spent !== undefined || yielded ? undefined : await failsAgain(services, run, plan, last);
  const limit = spent ?? (verdict === 'refused' ? undefined : verdict?.reason);
  if (limit === undefined && last.part < parts && (yielded || isRetry))
    return beginPart(last.part + 1, last.outputsBefore + last.objects);

  const undone = limit ?? (last.kind === 'second-half' && !yielded ? BOTH_HALVES_FAILED : undefined);
  const detail = (why: string | undefined): string => attemptsText(attempts, why);
  const sources = { run, plan, last, undone, detail };
  const found = await compareRun(sources, services);
  if (found === 'unfinished') return { next: 'reconcile' };
  const lastYielded = isRetry ? found.written > last.outputsBefore : found.writtenOfLast > 0;
  const { missing, written: outputsBefore } = found;
  const engineFailed = engineRules(last.engine).hasFailedItself(last);
  const further = furtherSending(plan, last, verdict === 'refused', missing);
  const decision = decideNextAttempt({
    attempts,
    lastYielded,
    engineFailed,
    parts,
    missing,
    limit,
    ...further,
  });
  if (decision.next === 'part') return beginPart(decision.part, outputsBefore);
  if (decision.next !== 'fold') {
    const { next, part } = decision;
    const record = await planRetry(store, run, {
      plan,
      next,
      part,
      attempt,
      last,
      outputsBefore,
      missing,
      at: clock(),
    });
    // A half may be empty: its files were deleted meanwhile.
    if (record !== undefined) return begin(record);
  } else if (spent !== undefined && decision.reason === spent && last.stopReason === undefined)
    await writeJobRecord(store, run, { ...last, stopReason: spent });
  // An earlier run's outputs are no reason to call a run complete if its own jobs have left nothing.
  if (found.outputs === 0 || found.written === 0)
    throw new Condition('NothingPredicted', nothingPredicted(last, found, decision));
  if (firstBundle !== null && firstBundle.refused !== null)
    await keepBundleFact(store, plan.run, firstBundle, firstBundle.refused, clock());
  const { shards, inputs, outputs } = found;
  const isRound = plan.rounds?.isOpen === true && plan.sample !== null;
  return { next: 'fold', shards, inputs, missing: inputs - outputs, isRound };
});

/**
 * The part after the pilot. The pilot's speed corrects the quote of the others; the pilot runs once more if SageMaker itself failed
 * the first time, which says nothing about the model.
 *
 * @throws {PilotFailed}
 */
async function partAfterPilot(
  store: ObjectStore,
  run: RunParts,
  plan: Plan,
  attempts: readonly JobRecord[],
  last: JobRecord,
): Promise<number> {
  const verdict = await judgePilot(store, run, plan, last);
  if (verdict === 'passed') {
    const written = await openOutputs(store, run, plan).written();
    const corrected = written && correctedQuote(plan, last, written);
    if (corrected !== undefined) await planJson(run).write(store, corrected);
    return last.part + 1;
  }
  if (verdict === 'unjudged' && attempts.length === 1) return last.part;
  const reason = verdict === 'unjudged' ? attemptsText(attempts, undefined) : verdict.reason;
  throw new Condition(
    'PilotFailed',
    `${reason}. The other ${plan.objects - last.objects} inputs were not sent (limits.pilot)`,
  );
}

/**
 * How inputs that were lost with others may be sent again: in smaller bundles, if they were refused or bundles are lost
 * whole; the smallest only once.
 */
function furtherSending(
  { bundle }: Plan,
  last: JobRecord,
  isRefused: boolean,
  missing: number,
): Pick<AttemptsSoFar, 'smaller' | 'isRefused'> {
  if (bundle === null) return { smaller: 0, isRefused: false };
  const isShared = smallerBundles(bundle, last.objects).inputs > 1;
  const smaller = bundle.form === 'lines' ? (last.kind === 'retry' && isShared ? 2 : 1) : isRefused ? 1 : 0;
  return { smaller, isRefused: isRefused && smallerBundles(bundle, missing).inputs > 1 };
}

/** Why a further job would fail like the last one, as far as its log says; a half and a single input say nothing about other inputs. */
async function failsAgain(
  { store, logs }: ReconcileServices,
  run: RunParts,
  plan: Plan,
  last: JobRecord,
): Promise<ReturnType<typeof repeatedFailure>> {
  const { kind, objects, input, engine } = last;
  const isAlone = objects === 1 && plan.jobs.length > 1;
  const requestSeconds = engineRules(plan.engine).requestSeconds(plan.engine);
  if (requestSeconds === undefined || (kind !== 'part' && kind !== 'spread') || isAlone) return undefined;
  const failures = await Array.fromAsync(logs[engine.name].failures(last, ENOUGH_FAILURES));
  if (kind === 'spread') {
    const said = failures[0] === undefined ? '' : ` (${failures[0].why})`;
    const reason = `all requests were refused, and then each of ${objects} inputs from all over the run, sent alone${said}`;
    return { reason };
  }
  const items = plan.bundle === null ? undefined : await readBundleItems(store, run, listFolder(run, input));
  return repeatedFailure(failures, {
    requests: items?.length ?? objects,
    isAlone: plan.bundle === null,
    invocationsTimeoutInSeconds: requestSeconds,
  });
}

function nothingPredicted(
  last: JobRecord,
  { inputs, missing, changed, refusal }: Comparison,
  decision: NextAttempt,
): string {
  if (missing === 0 && changed > 0) {
    return `none of ${inputs} inputs can be scored: ${changed} were overwritten or deleted while the run went on`;
  }
  const words = last.failureReason === undefined ? '' : ` with ${JSON.stringify(last.failureReason)}`;
  const ended = `transform job ${last.jobName} ended ${last.status}${words}`;
  const reason = ('reason' in decision ? decision.reason : undefined) ?? refusal;
  const why = reason === undefined ? '' : ` ${reason};`;
  return `none of ${inputs} inputs has a prediction:${why} ${ended}. ${engineRules(last.engine).logPlace(last)}`;
}
