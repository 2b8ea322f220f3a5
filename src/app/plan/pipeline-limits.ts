import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { LimitSettings } from '../../pipeline/limit-settings.ts';
import { type PipelineLedger, reserveCost, takePlace } from '../../plan/decide/pipeline-ledger.ts';
import type { Problem } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { growingWaitSeconds } from '../../run/growing-wait.ts';
import { parseRunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { changeLedger } from '../records/limits.ts';
import { reportCost } from '../records/run-index.ts';
import { refusePlan } from './write/refuse-plan.ts';

const LOOKUPS_AT_ONCE = 32;
const MAX_WAIT_SECONDS = 600;

/** A run that has to wait. */
export interface Waiting {
  readonly waitSeconds: number;
}

type Limits = Pick<LimitSettings, 'maxConcurrentRuns' | 'maxCostUsdPerDay' | 'maxRuntimeMinutes'>;

/**
 * Takes a place among the pipeline's runs under way; the run's `ended.json` frees it.
 *
 * @throws {PlanRefused} if the run has waited for longer than it may
 */
export async function takeTurn(
  store: ObjectStore,
  run: RunParts,
  { maxConcurrentRuns, maxRuntimeMinutes: maxWaitMinutes }: Limits,
  now: Date,
): Promise<'taken' | Waiting> {
  const asked = { run: toRunId(run), now, maxConcurrentRuns, maxWaitMinutes };
  const turn = await changeLedgerFor(store, run, now, (ledger) => {
    const { ledger: changed, turn: found } = takePlace(ledger, asked);
    return { ledger: changed, answer: found };
  });
  switch (turn?.status) {
    case 'taken':
      return 'taken';
    case 'refused':
      return refusePlan(store, run, [limitProblem('maxConcurrentRuns', maxConcurrentRuns, turn.message)]);
    default:
      return { waitSeconds: growingWaitSeconds(turn?.waitedSeconds ?? 0, MAX_WAIT_SECONDS) };
  }
}

/**
 * Reserves a run's quote; `leftUsd` is what the day has left for it, null without a bound.
 *
 * @throws {PlanRefused} if the day has less left than the quote
 */
export async function reserveQuote(
  store: ObjectStore,
  run: RunParts,
  { maxCostUsdPerDay }: Limits,
  quoteUsd: number | null,
  now: Date,
): Promise<{ readonly leftUsd: number | null } | Waiting> {
  const asked = { run: toRunId(run), quoteUsd, maxCostUsdPerDay };
  const reserved = await changeLedgerFor(store, run, now, (ledger) => {
    const answer = reserveCost(ledger, asked);
    return { ledger: answer.status === 'reserved' ? answer.ledger : ledger, answer };
  });
  switch (reserved?.status) {
    case undefined:
      return { waitSeconds: growingWaitSeconds(0, MAX_WAIT_SECONDS) };
    case 'refused':
      return refusePlan(store, run, [limitProblem('maxCostUsdPerDay', maxCostUsdPerDay, reserved.message)]);
    case 'reserved':
      return { leftUsd: reserved.leftUsd };
  }
}

/** Changes the ledger of the run's pipeline, from which runs that have ended are gone. */
function changeLedgerFor<T>(
  store: ObjectStore,
  run: RunParts,
  now: Date,
  decide: (ledger: PipelineLedger) => { readonly ledger: PipelineLedger; readonly answer: T },
): Promise<T | undefined> {
  const ended = new Map<string, number | null>();
  return changeLedger(run.pipeline, { store, clock: () => now }, decide, async (ledger) => {
    await lookForEnds(store, ledger, toRunId(run), ended);
    return ended;
  });
}

/** Adds the cost of every other run of the ledger that has ended. */
async function lookForEnds(
  store: ObjectStore,
  { active }: PipelineLedger,
  own: string,
  ended: Map<string, number | null>,
): Promise<void> {
  const unknown = active.filter(({ run }) => run !== own && !ended.has(run));
  const looked = inOrder(unknown, LOOKUPS_AT_ONCE, async ({ run }) => {
    const parts = parseRunId(run);
    if (parts === undefined || (await store.describe(bucketLayout.ended(parts))) === undefined)
      return undefined;
    return { costUsd: (await reportCost(parts).read(store))?.costUsd ?? null };
  });
  for await (const [{ run }, end] of looked) if (end !== undefined) ended.set(run, end.costUsd);
}

function limitProblem(
  field: 'maxConcurrentRuns' | 'maxCostUsdPerDay',
  value: unknown,
  message: string,
): Problem {
  return { file: 'pipeline.json', field: `limits.${field}`, value: String(value), message };
}
