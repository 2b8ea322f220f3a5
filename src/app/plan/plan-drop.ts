import type { Frozen } from '../../drop/frozen.ts';
import type { LimitSettings } from '../../pipeline/limit-settings.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { chooseEngine, enginesFor, forEngine, type Offer, offerOf } from '../../plan/choose-engine.ts';
import { engineOf } from '../../plan/engine-of.ts';
import type { EnginePlanning, PlannedWork } from '../../plan/engine-planning.ts';
import { judgeConfiguration, type JudgedConfiguration } from '../../plan/judge-configuration.ts';
import type { Plan } from '../../plan/plan.ts';
import { quoteRest, quoteRounds } from '../../plan/quote-rest.ts';
import { roundUsd } from '../../price/round-usd.ts';
import type { Problem } from '../../problem/problem.ts';
import type { EngineName } from '../../transform/engine-settings.ts';
import type { ReadTars } from '../inputs/list-inputs.ts';
import { freezingMark } from '../records/drop.ts';
import { refusalJson } from '../records/refusal.ts';
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
  const judgedFor = (name: EngineName): JudgedConfiguration =>
    judgeConfiguration({ ...read, config: forEngine(config, name, settings) }, settings.region);
  const engines = enginesFor(config);
  const configurations = engines.map(judgedFor);
  const sound = configurations.find(({ further }) => further.length === 0) ?? configurations[0];
  const mayBundle = configurations.some((one) => bundlesTars(one, frozen));
  const open = (unpacks: boolean): ReturnType<typeof openTars> =>
    sound === undefined ? Promise.resolve(null) : openTars(asked, sound, services, unpacks);
  const tars = await open(!mayBundle);
  if (tars !== null && 'unread' in tars) return tars;
  const judge = (name: EngineName): Promise<JudgedDrop> => judgeFor(asked, judgedFor(name), tars, services);
  const [chosen, mark] = await Promise.all([
    judgeEngines(engines, config.limits, judge, await refusalJson(run).read(store)),
    freezingMark(run).read(store),
  ]);
  const { configuration, sending, sources, problems, facts } = chosen.judged;
  const { preflight, profile, sampled } = facts.findings;
  const { model } = preflight;
  const { imageUri } = configuration;
  if (problems.length > 0 || model === undefined || imageUri === undefined)
    return refusePlan(store, run, [...problems, ...(profile.sent.count === 0 ? unreadable(tars) : [])]);
  if (tars?.unpacked === null && sending.bundle === null) {
    // Only now is it known that the members are sent one by one.
    const unpacked = await open(true);
    return unpacked !== null && 'unread' in unpacked ? unpacked : planDrop(asked, services);
  }

  const createdAt = clock();
  const { jobs, quoteUsd: jobsUsd } = await quoteJobs(store, run, sources, profile);
  const withTars = (usd: number | null): number | null =>
    usd === null ? null : roundUsd(usd + (tars?.usd ?? 0));
  const quoteUsd = withTars(jobsUsd);
  const { sample, rounds } = sampled;
  const restQuoteUsd =
    sample && quoteRest(configuration, { ...sending, sample, frozen, sampleBytes: profile.sent.bytes });
  // Rounds may go on to the end: the day must have room for all of them.
  const mostUsd =
    rounds === undefined
      ? quoteUsd
      : withTars(quoteRounds(configuration.config, configuration.resolvedPrices, { rounds, frozen }));
  const reserved = await reserveQuote(store, run, config.limits, mostUsd, clock());
  if ('waitSeconds' in reserved) return reserved;
  const plan = buildPlan({
    ...facts,
    createdAt,
    imageUri,
    model,
    jobs: { ...jobs, notes: [...chosen.notes, ...(tars?.notes ?? []), ...sending.notes, ...jobs.notes] },
    quoteUsd,
    restQuoteUsd,
    mostUsd,
    leftUsd: reserved.leftUsd,
    isCutShort: mark?.isCut === true,
    isEngineChosen: engines.length > 1,
  });
  await writePlan(store, run, plan, clock());
  return plan;
}

type JudgedDrop = Awaited<ReturnType<typeof judgeFor>>;

/** Judges a run for one engine. */
async function judgeFor(
  asked: AskedRun,
  configuration: JudgedConfiguration,
  tars: ReadTars | null,
  services: PlanServices,
) {
  const sending = sendingFor(configuration, asked.frozen, tars ?? asked.frozen);
  const judged = await judgeRun(
    asked,
    { configuration, unpacked: tars?.unpacked ?? null, sending },
    services,
  );
  return { configuration, sending, ...judged };
}

function sendingFor(
  { config, speeds }: JudgedConfiguration,
  { candidate }: Frozen,
  work: PlannedWork,
): ReturnType<EnginePlanning['sending']> {
  const bundling = { ...config.transform, ...(candidate && { bundle: 'never' as const }) };
  const sending = engineOf(config).sending({ ...config, transform: bundling }, work, speeds);
  // A hint at bundles would be of no use to a training.
  return candidate === undefined ? sending : { ...sending, notes: [] };
}

/** Whether a run with enough members that are small enough would be sent in bundles, which are made of tars as they lie. */
function bundlesTars(configuration: JudgedConfiguration, frozen: Frozen): boolean {
  return sendingFor(configuration, frozen, { objects: 1_000_000, bytes: 1_000_000 }).bundle !== null;
}

/** Judges a run for each engine that its pipeline allows, and chooses one; the last judgement is that of the chosen engine. */
async function judgeEngines(
  engines: readonly EngineName[],
  limits: LimitSettings,
  judge: (name: EngineName) => Promise<JudgedDrop>,
  refusal: Refusal | undefined,
): Promise<{ readonly judged: JudgedDrop; readonly notes: readonly string[] }> {
  const [only = 'sagemaker', ...others] = engines;
  if (others.length === 0) return { judged: await judge(only), notes: [] };
  const offers: Offer[] = [];
  let last: JudgedDrop | undefined;
  for (const name of engines) {
    // One after the other: each writes what it draws.
    last = await judge(name);
    const { configuration, facts } = last;
    const problems = [...last.problems, ...refusedModel(name, facts.findings.preflight.model, refusal)];
    const { bundle } = last.sending;
    const { count: objects, bytes, largest: largestBytes } = facts.findings.profile.sent;
    const { config, resolvedPrices: prices, speeds } = configuration;
    const work = { objects, bytes };
    offers.push(offerOf(name, config, { prices, problems, work, largestBytes, speeds, bundle }));
  }
  const { name, note } = chooseEngine(offers, limits);
  const judged = last !== undefined && name === engines.at(-1) ? last : await judge(name);
  return { judged, notes: [note] };
}

type Refusal = NonNullable<Awaited<ReturnType<ReturnType<typeof refusalJson>['read']>>>;

/** The problem that PrepareModel has found in a model that was planned for functions. */
function refusedModel(
  engine: EngineName,
  model: { readonly sha256: string } | undefined,
  refusal: Refusal | undefined,
): Problem[] {
  if (engine !== 'lambda' || refusal === undefined || refusal.sha256 !== model?.sha256) return [];
  return [{ file: refusal.artifact, field: '', value: '', message: refusal.reason }];
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
