import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { EndpointSettings } from '../../pipeline/endpoint-settings.ts';
import { LimitSettings } from '../../pipeline/limit-settings.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { forCandidate } from '../../plan/candidate.ts';
import { engineOf } from '../../plan/engine-of.ts';
import { type Configuration, judgeConfiguration, writtenProblems } from '../../plan/judge-configuration.ts';
import { eachOnce, judgeFindings } from '../../plan/judge-findings.ts';
import type { Plan } from '../../plan/plan.ts';
import { quoteRest } from '../../plan/quote-rest.ts';
import { PlanRefused } from '../../plan/refused.ts';
import {
  continuedPlan,
  forRescore,
  quoteRequests,
  rescoredPlan,
  rescoreProblems,
} from '../../plan/rescored.ts';
import { tighter } from '../../plan/tighter.ts';
import type { Problem } from '../../problem/problem.ts';
import { RunParts } from '../../run/run-id.ts';
import type { StackSettings } from '../../run/stack-settings.ts';
import { freezingMark, frozenJson } from '../records/drop.ts';
import { planJson } from '../records/plan.ts';
import { problemsJson } from '../records/run.ts';
import { useCase } from '../use-case.ts';
import { gatherFindings, runInputs, type Sources } from './gather-findings.ts';
import { reserveQuote, takeTurn, type Waiting } from './pipeline-limits.ts';
import { planJobs } from './plan-jobs.ts';
import { planReplay, writePlan } from './plan-replay.ts';
import type { InputProfile } from './profile-inputs.ts';
import { readConfiguration } from './read-configuration.ts';
import { noteUnreadLabels } from './unread-labels.ts';

const Planned = z.object({
  status: z.literal('planned'),
  jobs: z.int().min(1),
  objects: z.int().min(1),
  /** Null if the price of the instance is not known. */
  costQuoteUsd: z.number().nullable(),
  /** Whether an endpoint is deployed once the run's gate has been judged. */
  deploy: EndpointSettings.shape.deploy.unwrap(),
});
/** A run that scores the predictions of another one again has no job. */
const Predicted = Planned.omit({ jobs: true }).extend({ status: z.literal('predicted') });

/** Services and settings of the planning; the role of `settings` is the one that the model runs under. */
export interface PlanRunServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  readonly settings: StackSettings;
}

/**
 * State `PlanRun`: resolves pipeline.json and job.json into a plan and writes the inputs of each job.
 *
 * SageMaker has not been called yet, and all problems are reported together. Where the pipeline has its maximum of runs
 * under way, nothing is read, and the run waits.
 *
 * @throws {PlanRefused} after the problems have been written to the run's problems.json
 */
export const planRun = useCase({
  /** Sent by state `PlanRun`, and again after each wait for a turn. */
  input: z.object({ run: RunParts }),
  /** `waiting`: the pipeline has `limits.maxConcurrentRuns` under way, or other runs were faster to write its ledger. */
  output: z.discriminatedUnion('status', [
    Planned,
    Predicted,
    z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
  ]),
})(async ({ run }, services: PlanRunServices) => {
  const { store, clock, settings } = services;
  const [frozen, read] = await Promise.all([
    frozenJson(run).require(store),
    readConfiguration(store, run, settings.readBuckets),
  ]);
  const configuration = forCandidate(read, frozen.candidate, store.bucket);
  const written = writtenProblems(run.drop, frozen.problems, configuration);
  const limits = configuration.config?.limits ?? LimitSettings.parse({});
  const { origin } = frozen;
  const isRefused =
    origin.mode !== 'replay' && configuration.problems.length + (frozen.problems ?? []).length > 0;
  // A run that judges a candidate uses the place of its training, which waits for it; a rescore has no job.
  const hasPlace = isRefused || frozen.candidate !== undefined || origin.mode === 'rescore';
  const turn = hasPlace ? 'taken' : await takeTurn(store, run, limits, clock());
  if (turn !== 'taken') {
    if ('waitSeconds' in turn) return { status: 'waiting', ...turn };
    return refuse(store, run, [turn.problem]);
  }
  const fresh = { run, frozen, configuration, written };
  const planned = await planAs(origin, fresh, limits, services);
  if ('waitSeconds' in planned) return { status: 'waiting', ...planned };
  const { jobs, objects, cost, endpoint, predictions } = planned;
  const facts = { objects, costQuoteUsd: cost.quoteUsd, deploy: endpoint?.deploy ?? 'never' } as const;
  return predictions === null
    ? { status: 'planned', jobs: jobs.length, ...facts }
    : { status: 'predicted', ...facts };
});

async function planAs(
  origin: Frozen['origin'],
  fresh: FreshRun,
  limits: LimitSettings,
  services: PlanRunServices,
): Promise<Plan | Waiting> {
  switch (origin.mode) {
    case 'drop':
    case 'rerun':
      return planFresh(fresh, services);
    case 'replay':
      return repeatPlan({ run: fresh.run, of: origin.of, limits }, services);
    case 'rescore':
      return planRescore(fresh, origin.of, services);
    case 'continue':
      return planContinue(fresh, origin.of, services);
  }
}

async function refuse(store: ObjectStore, run: RunParts, problems: readonly Problem[]): Promise<never> {
  await problemsJson(run).write(store, { schema: 1, problems });
  throw new PlanRefused(run, problems);
}

/** A run whose plan no other has made. */
interface FreshRun {
  readonly run: RunParts;
  readonly frozen: Frozen;
  readonly configuration: Configuration;
  readonly written: readonly Problem[];
}

/** Plans a run from its configuration: gathers, judges, builds, writes. */
async function planFresh(
  { run, frozen, configuration, written }: FreshRun,
  { store, clock, settings }: PlanRunServices,
): Promise<Plan | Waiting> {
  const { config } = configuration;
  if (config === undefined) return refuse(store, run, written);
  const judgedConfiguration = judgeConfiguration({ ...configuration, config }, settings.region);
  const sources = { configuration: judgedConfiguration, frozen, continues: null };
  const [findings, unread, mark] = await Promise.all([
    gatherFindings(store, run, sources, settings.readBuckets),
    noteUnreadLabels(store, run, config.labels.truth),
    freezingMark(run).read(store),
  ]);
  const judged = judgeFindings(judgedConfiguration, findings, {
    region: settings.region,
    hasVpc: settings.vpc !== null,
  });
  const { imageUri, further } = judgedConfiguration;
  const problems = eachOnce([...written, ...further, ...judged.problems]);
  const { preflight, profile } = findings;
  const { model } = preflight;
  if (problems.length > 0 || model === undefined || imageUri === undefined)
    return refuse(store, run, problems);

  const createdAt = clock();
  const { jobs, quoteUsd } = await quoteJobs(store, run, sources, profile);
  const { sample } = findings.sampled;
  const restQuoteUsd =
    sample &&
    quoteRest(config, judgedConfiguration.resolvedPrices, {
      sample,
      frozen,
      sampleBytes: profile.sent.bytes,
    });
  const leftUsd = await reserve({ run, limits: config.limits, quoteUsd }, { store, clock });
  if (typeof leftUsd === 'object' && leftUsd !== null) return leftUsd;
  const plan = buildPlan({
    run,
    createdAt,
    bucket: store.bucket,
    settings,
    frozen,
    configuration: judgedConfiguration,
    imageUri,
    model,
    findings,
    judged,
    jobs,
    quoteUsd,
    restQuoteUsd,
    leftUsd,
    isCutShort: mark?.isCut === true,
    unread,
  });
  await writePlan(store, run, plan, clock());
  return plan;
}

/** Plans a run that scores the predictions of another one again, under today's labels, classes, gate and report. */
async function planRescore(
  { run, frozen, configuration, written }: FreshRun,
  of: string,
  { store, clock, settings }: PlanRunServices,
): Promise<Plan> {
  const original = await planJson(RunParts.parse(of)).require(store);
  const { config } = forRescore(configuration, original);
  if (config === undefined) return refuse(store, run, written);
  const judgedConfiguration = judgeConfiguration({ ...configuration, config }, settings.region);
  const sources = {
    configuration: { ...judgedConfiguration, processing: undefined },
    frozen,
    continues: null,
  };
  const [findings, unread] = await Promise.all([
    gatherFindings(store, run, sources, settings.readBuckets, original),
    noteUnreadLabels(store, run, config.labels.truth),
  ]);
  const judged = judgeFindings(sources.configuration, findings, {
    region: settings.region,
    hasVpc: settings.vpc !== null,
  });
  const problems = eachOnce([
    ...written,
    ...judgedConfiguration.further,
    ...judged.problems,
    ...rescoreProblems(configuration, original),
  ]);
  if (problems.length > 0) return refuse(store, run, problems);
  const quoteUsd = quoteRequests({ objects: original.objects, limits: config.limits });
  const note = `the predictions of ${of} are scored again: no job runs, and S3's requests are quoted at ${quoteUsd} US dollars`;
  const today = buildPlan({
    ...{
      run,
      createdAt: clock(),
      bucket: store.bucket,
      settings,
      frozen,
      unread,
      quoteUsd,
      findings,
      judged,
    },
    configuration: sources.configuration,
    ...{ imageUri: original.model.imageUri, model: original.model, leftUsd: null, isCutShort: false },
    restQuoteUsd: null,
    jobs: {
      planned: original.jobs,
      outlierBytes: original.outlierBytes,
      pilot: original.pilot,
      notes: [note],
    },
  });
  const plan = rescoredPlan(today, original);
  await planJson(run).write(store, plan);
  return plan;
}

/** Plans a run that predicts what a sampled one has left, by its model, and is judged by today's configuration on all inputs. */
async function planContinue(
  { run, frozen, configuration, written }: FreshRun,
  of: string,
  { store, clock, settings }: PlanRunServices,
): Promise<Plan | Waiting> {
  const continues = RunParts.parse(of);
  const original = await planJson(continues).require(store);
  const asked = forRescore(configuration, original).config;
  if (asked === undefined) return refuse(store, run, written);
  const config = { ...asked, sample: null };
  const judgedConfiguration = judgeConfiguration({ ...configuration, config }, settings.region);
  const sources = { configuration: { ...judgedConfiguration, processing: undefined }, frozen, continues };
  const [findings, unread] = await Promise.all([
    gatherFindings(store, run, sources, settings.readBuckets, original),
    noteUnreadLabels(store, run, config.labels.truth),
  ]);
  const { profile } = findings;
  const judged = judgeFindings(sources.configuration, findings, {
    region: settings.region,
    hasVpc: settings.vpc !== null,
  });
  const problems = eachOnce([...written, ...judgedConfiguration.further, ...judged.problems]);
  if (problems.length > 0) return refuse(store, run, problems);
  const { jobs, quoteUsd } = await quoteJobs(store, run, sources, profile);
  const leftUsd = await reserve({ run, limits: config.limits, quoteUsd }, { store, clock });
  if (typeof leftUsd === 'object' && leftUsd !== null) return leftUsd;
  const note = `continues ${of}: the predictions of its sample are used again, and only the other ${profile.sent.count} inputs are sent, to the same model`;
  const today = buildPlan({
    ...{ run, createdAt: clock(), bucket: store.bucket, settings, frozen, unread, findings, judged },
    ...{ quoteUsd, restQuoteUsd: null, leftUsd, isCutShort: false },
    configuration: sources.configuration,
    ...{ imageUri: original.model.imageUri, model: original.model },
    jobs: { ...jobs, notes: [note, ...jobs.notes] },
  });
  const plan = continuedPlan(today, original);
  await writePlan(store, run, plan, clock());
  return plan;
}

/** Cuts the inputs that are to be sent into jobs. Returns them with their quote in US dollars, null where a price is unknown. */
async function quoteJobs(store: ObjectStore, run: RunParts, sources: Sources, profile: InputProfile) {
  const { config, resolvedPrices } = sources.configuration;
  const inputs = runInputs(store, run, sources);
  const jobs = await planJobs(store, run, { config, frozen: sources.frozen, inputs, profile });
  const seconds = jobs.planned.reduce((sum, job) => sum + job.quotedSeconds, 0);
  return { jobs, quoteUsd: engineOf(config).quoteUsd(config, resolvedPrices, seconds) };
}

/** Plans a run as the one that it repeats. */
async function repeatPlan(
  {
    run,
    of,
    limits,
  }: {
    readonly run: RunParts;
    readonly of: string;
    readonly limits: LimitSettings;
  },
  { store, clock }: PlanRunServices,
): Promise<Plan | Waiting> {
  const original = await planJson(RunParts.parse(of)).require(store);
  const { quoteUsd } = original.cost;
  const leftUsd = await reserve({ run, limits, quoteUsd }, { store, clock });
  if (typeof leftUsd === 'object' && leftUsd !== null) return leftUsd;
  const maxCostUsd = tighter(original.limits.maxCostUsd, leftUsd);
  return planReplay(store, run, {
    original: { ...original, limits: { ...original.limits, maxCostUsd } },
    at: clock(),
  });
}

/** Reserves the quote. Returns the US dollars that the day has left for the run, null without a bound; or a wait. */
async function reserve(
  {
    run,
    limits,
    quoteUsd,
  }: {
    readonly run: RunParts;
    readonly limits: LimitSettings;
    readonly quoteUsd: number | null;
  },
  { store, clock }: Pick<PlanRunServices, 'store' | 'clock'>,
): Promise<number | null | Waiting> {
  const reserved = await reserveQuote(store, run, limits, quoteUsd, clock());
  if ('problem' in reserved) return refuse(store, run, [reserved.problem]);
  if ('leftUsd' in reserved) return reserved.leftUsd;
  return reserved;
}
