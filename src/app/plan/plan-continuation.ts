import { buildPlan } from '../../plan/build-plan.ts';
import { forEngine } from '../../plan/choose-engine.ts';
import { judgeConfiguration } from '../../plan/judge-configuration.ts';
import type { Plan } from '../../plan/plan.ts';
import { continuedPlan, forRescore } from '../../plan/rescored.ts';
import { roundUsd } from '../../price/round-usd.ts';
import { RunParts } from '../../run/run-id.ts';
import { planJson } from '../records/plan.ts';
import { type AskedRun, judgeRun, type PlanServices } from './judge-run.ts';
import { reserveQuote, type Waiting } from './pipeline-limits.ts';
import { quoteJobs } from './quote-jobs.ts';
import { refusePlan } from './refuse-plan.ts';
import { writePlan } from './write-plan.ts';

/** Plans a run that predicts what a sampled one has left, by its model, and is judged by today's configuration on all inputs. */
export async function planContinuation(
  asked: AskedRun,
  { of, staged }: { readonly of: string; readonly staged: { readonly usd: number } },
  services: PlanServices,
): Promise<Plan | Waiting> {
  const { run, configuration: read, written } = asked;
  const { store, clock, settings } = services;
  const continues = RunParts.parse(of);
  const original = await planJson(continues).require(store);
  const { config: sampling } = forRescore(read, original);
  if (sampling === undefined) return refusePlan(store, run, written);
  const { name } = original.engine;
  const config = { ...forEngine(sampling, name, settings), sample: null };
  const configuration = {
    ...judgeConfiguration({ ...read, config }, settings.region),
    processing: undefined,
  };
  const judged = await judgeRun(
    asked,
    { configuration, original, continues, unpacked: original.input.unpacked, sending: original },
    services,
  );
  const { sources, problems, facts } = judged;
  if (problems.length > 0) return refusePlan(store, run, problems);
  const { profile } = facts.findings;
  const { jobs, quoteUsd: jobsUsd } = await quoteJobs(store, run, sources, profile);
  const quoteUsd = jobsUsd === null ? null : roundUsd(jobsUsd + staged.usd);
  const reserved = await reserveQuote(store, run, config.limits, quoteUsd, clock());
  if ('waitSeconds' in reserved) return reserved;
  const note = `continues ${of}: the predictions of its sample are used again, and only the other ${profile.sent.count} inputs are sent, to the same model`;
  const today = buildPlan({
    ...facts,
    createdAt: clock(),
    imageUri: original.model.imageUri,
    model: original.model,
    jobs: { ...jobs, notes: [note, ...jobs.notes] },
    quoteUsd,
    restQuoteUsd: null,
    leftUsd: reserved.leftUsd,
    isCutShort: false,
  });
  const plan = continuedPlan(today, original);
  await writePlan(store, run, plan, clock());
  return plan;
}
