import { buildPlan } from '../../plan/build-plan.ts';
import { judgeConfiguration } from '../../plan/judge-configuration.ts';
import type { Plan } from '../../plan/plan.ts';
import { quoteRest } from '../../plan/quote-rest.ts';
import { freezingMark } from '../records/drop.ts';
import { type AskedRun, judgeRun, type PlanServices } from './judge-run.ts';
import { reserveQuote, type Waiting } from './pipeline-limits.ts';
import { quoteJobs } from './quote-jobs.ts';
import { refusePlan } from './refuse-plan.ts';
import { writePlan } from './write-plan.ts';

/** Plans a run that predicts the files of a drop, or a sample of them, by today's configuration. */
export async function planDrop(asked: AskedRun, services: PlanServices): Promise<Plan | Waiting> {
  const { run, frozen, configuration: read, written } = asked;
  const { store, clock, settings } = services;
  const { config } = read;
  if (config === undefined) return refusePlan(store, run, written);
  const configuration = judgeConfiguration({ ...read, config }, settings.region);
  const [{ sources, problems, facts }, mark] = await Promise.all([
    judgeRun(asked, { configuration }, services),
    freezingMark(run).read(store),
  ]);
  const { preflight, profile, sampled } = facts.findings;
  const { model } = preflight;
  const { imageUri } = configuration;
  if (problems.length > 0 || model === undefined || imageUri === undefined)
    return refusePlan(store, run, problems);

  const createdAt = clock();
  const { jobs, quoteUsd } = await quoteJobs(store, run, sources, profile);
  const { sample } = sampled;
  const restQuoteUsd =
    sample &&
    quoteRest(config, configuration.resolvedPrices, { sample, frozen, sampleBytes: profile.sent.bytes });
  const reserved = await reserveQuote(store, run, config.limits, quoteUsd, clock());
  if ('waitSeconds' in reserved) return reserved;
  const plan = buildPlan({
    ...facts,
    createdAt,
    imageUri,
    model,
    jobs,
    quoteUsd,
    restQuoteUsd,
    leftUsd: reserved.leftUsd,
    isCutShort: mark?.isCut === true,
  });
  await writePlan(store, run, plan, clock());
  return plan;
}
