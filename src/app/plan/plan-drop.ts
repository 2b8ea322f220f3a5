import { buildPlan } from '../../plan/build-plan.ts';
import { engineOf } from '../../plan/engine-of.ts';
import { judgeConfiguration } from '../../plan/judge-configuration.ts';
import type { Plan } from '../../plan/plan.ts';
import { quoteRest, quoteRounds } from '../../plan/quote-rest.ts';
import type { Problem } from '../../problem/problem.ts';
import type { ReadTars } from '../inputs/list-inputs.ts';
import { freezingMark } from '../records/drop.ts';
import { type AskedRun, judgeRun, type PlanServices } from './judge-run.ts';
import { openTars, type UnreadTars } from './open-tars.ts';
import { reserveQuote, type Waiting } from './pipeline-limits.ts';
import { quoteJobs } from './quote-jobs.ts';
import { refusePlan } from './refuse-plan.ts';
import { writePlan } from './write-plan.ts';

/** Plans a run that predicts the files of a drop, or a sample of them, by today's configuration. */
export async function planDrop(
  asked: AskedRun,
  services: PlanServices,
): Promise<Plan | Waiting | UnreadTars> {
  const { run, frozen, configuration: read, written } = asked;
  const { store, clock, settings } = services;
  const { config } = read;
  if (config === undefined) return refusePlan(store, run, written);
  const configuration = judgeConfiguration({ ...read, config }, settings.region);
  const tars = await openTars(asked, configuration, services);
  if (tars !== null && 'unread' in tars) return tars;
  const bundling = { ...config.transform, ...(frozen.candidate && { bundle: 'never' as const }) };
  const sending = engineOf(config).sending({ ...config, transform: bundling }, tars ?? frozen);
  const [{ sources, problems, facts }, mark] = await Promise.all([
    judgeRun(asked, { configuration, unpacked: tars?.unpacked ?? null, sending }, services),
    freezingMark(run).read(store),
  ]);
  const { preflight, profile, sampled } = facts.findings;
  const { model } = preflight;
  const { imageUri } = configuration;
  if (problems.length > 0 || model === undefined || imageUri === undefined)
    return refusePlan(store, run, [...problems, ...(profile.sent.count === 0 ? unreadable(tars) : [])]);

  const createdAt = clock();
  const { jobs, quoteUsd: jobsUsd } = await quoteJobs(store, run, sources, profile);
  const quoteUsd = jobsUsd === null ? null : Math.round((jobsUsd + (tars?.usd ?? 0)) * 10_000) / 10_000;
  const { sample, rounds } = sampled;
  const restQuoteUsd =
    sample && quoteRest(configuration, { sample, frozen, sampleBytes: profile.sent.bytes });
  // Rounds may go on to the end: the day must have room for all of them.
  const mostUsd =
    rounds === undefined ? quoteUsd : quoteRounds(config, configuration.resolvedPrices, { rounds, frozen });
  const reserved = await reserveQuote(store, run, config.limits, mostUsd, clock());
  if ('waitSeconds' in reserved) return reserved;
  const plan = buildPlan({
    ...facts,
    createdAt,
    imageUri,
    model,
    jobs: { ...jobs, notes: [...(tars?.notes ?? []), ...sending.notes, ...jobs.notes] },
    quoteUsd,
    restQuoteUsd,
    leftUsd: reserved.leftUsd,
    isCutShort: mark?.isCut === true,
  });
  await writePlan(store, run, plan, clock());
  return plan;
}

/** Why a run with tars has nothing to send. */
function unreadable(tars: ReadTars | null): Problem[] {
  return (tars?.defects ?? []).map(({ name, defect }) => ({
    file: name,
    field: '',
    value: '',
    message: defect,
  }));
}
