import { type LimitSettings, tighter } from '../../pipeline/limit-settings.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { copySample } from '../records/inputs.ts';
import { planJson } from '../records/plan.ts';
import { copyBundleList } from '../records/sent-inputs.ts';
import { openAgain, type UnreadTars } from './open/open-inputs.ts';
import { reserveQuote, type Waiting } from './pipeline-limits.ts';
import type { PlanServices } from './plan-services.ts';
import { storePlan } from './write/write-plan.ts';

/**
 * Plans a run that repeats another one: that run's own plan, without deployment, and with the repeated run as baseline. Of today's
 * pipeline.json only the limits of the pipeline are read.
 */
export async function planReplay(
  { run, of, limits }: { readonly run: RunParts; readonly of: string; readonly limits: LimitSettings },
  { store, clock }: PlanServices,
): Promise<Plan | Waiting | UnreadTars> {
  const opened = await openAgain(store, { run, of, isSent: true });
  if ('unread' in opened) return opened;
  const original = await planJson(RunParts.parse(of)).require(store);
  const reserved = await reserveQuote(store, run, limits, original.cost.quoteUsd, clock());
  if ('waitSeconds' in reserved) return reserved;
  await copySample(store, run, RunParts.parse(of));
  const jobs = await Promise.all(
    original.jobs.map(async (job) => {
      const input = bucketLayout.partInput(run, job.part);
      if (original.bundle === null) await store.copy({ bucket: store.bucket, key: job.input }, input);
      else await copyBundleList(store, RunParts.parse(of), job.input, run, input);
      return { ...job, input };
    }),
  );
  const at = clock();
  const plan: Plan = {
    ...original,
    run: toRunId(run),
    createdAt: at.toISOString(),
    report: { ...original.report, baseline: { asked: 'replay', run: of } },
    predictions: null,
    firstBundle: null,
    rounds: original.rounds && { ...original.rounds, isOpen: false },
    endpoint: null,
    limits: { ...original.limits, maxCostUsd: tighter(original.limits.maxCostUsd, reserved.leftUsd) },
    notes: [`replay of ${of}: its plan, model and inputs; nothing is deployed`, ...original.notes],
    jobs,
  };
  await storePlan(store, run, plan, at);
  return plan;
}
