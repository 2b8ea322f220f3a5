import { buildPlan } from '../../plan/build-plan.ts';
import { judgeConfiguration } from '../../plan/judge-configuration.ts';
import { eachOnce } from '../../plan/judge-findings.ts';
import type { Plan } from '../../plan/plan.ts';
import { forRescore, quoteRequests, rescoredPlan, rescoreProblems } from '../../plan/rescored.ts';
import { RunParts } from '../../run/run-id.ts';
import { planJson } from '../records/plan.ts';
import { type AskedRun, judgeRun, type PlanServices } from './judge-run.ts';
import { refusePlan } from './refuse-plan.ts';

/** Plans a run that scores the predictions of another one again, under today's labels, classes, gate and report. */
export async function planRescore(
  asked: AskedRun,
  { of, staged }: { readonly of: string; readonly staged: { readonly usd: number } },
  services: PlanServices,
): Promise<Plan> {
  const { run, configuration: read, written } = asked;
  const { store, clock, settings } = services;
  const original = await planJson(RunParts.parse(of)).require(store);
  const { config } = forRescore(read, original);
  if (config === undefined) return refusePlan(store, run, written);
  const configuration = {
    ...judgeConfiguration({ ...read, config }, settings.region),
    processing: undefined,
  };
  const { problems, facts } = await judgeRun(
    asked,
    { configuration, original, unpacked: original.input.unpacked, sending: original },
    services,
  );
  const all = eachOnce([...problems, ...rescoreProblems(read, original)]);
  if (all.length > 0) return refusePlan(store, run, all);
  const { objects } = original;
  const quoteUsd = quoteRequests({ objects, limits: config.limits }, staged.usd);
  const note = `the predictions of ${of} are scored again: no job runs, and S3's requests are quoted at ${quoteUsd} US dollars`;
  const { model, jobs: planned, outlierBytes, pilot } = original;
  const today = buildPlan({
    ...facts,
    createdAt: clock(),
    imageUri: model.imageUri,
    model,
    jobs: { planned, outlierBytes, pilot, notes: [note] },
    quoteUsd,
    restQuoteUsd: null,
    leftUsd: null,
    isCutShort: false,
  });
  const plan = rescoredPlan(today, original);
  await planJson(run).write(store, plan);
  return plan;
}
