import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { readingLines, readingText } from '../../label/reading-text.ts';
import { EndpointSettings } from '../../pipeline/endpoint-settings.ts';
import { LimitSettings } from '../../pipeline/limit-settings.ts';
import { forCandidate } from '../../plan/decide/candidate.ts';
import { decide } from '../../plan/decide/decide.ts';
import { forTrial } from '../../plan/decide/trial.ts';
import { bundleOfMany, engineAsked } from '../../plan/engine/engine-asked.ts';
import { enginesFor } from '../../plan/engine/engine-config.ts';
import { bundleWay, toBundling } from '../../plan/engine/first-bundle.ts';
import type { Asked, FoundModel } from '../../plan/found.ts';
import { judge } from '../../plan/judge/judge.ts';
import { type Configuration, writtenProblems } from '../../plan/judge/judge-configuration.ts';
import type { Plan } from '../../plan/plan.ts';
import { forRescore } from '../../plan/rescored.ts';
import { RunParts } from '../../run/run-id.ts';
import { ENGINE_NAMES } from '../../transform/engine-settings.ts';
import { BUNDLE_TYPES } from '../../transform/request-limits.ts';
import { bundleFactJson, unbundledJson } from '../records/bundle-facts.ts';
import { frozenJson } from '../records/drop.ts';
import { planJson } from '../records/plan.ts';
import { useCase } from '../use-case.ts';
import { openInputs, openTars, type UnreadTars } from './open/open-inputs.ts';
import { readConfiguration } from './open/read-configuration.ts';
import { takeTurn, type Waiting } from './pipeline-limits.ts';
import { planReplay } from './plan-replay.ts';
import type { PlanServices } from './plan-services.ts';
import { readFound } from './read/read-found.ts';
import { readModel } from './read/read-model.ts';
import { refusePlan } from './write/refuse-plan.ts';
import { writePlan } from './write/write-plan.ts';

const Planned = z.object({
  status: z.literal('planned'),
  jobs: z.int().min(1),
  /** The engine that carries them out. */
  engine: z.enum(ENGINE_NAMES),
  objects: z.int().min(1),
  /** Null if the price of the instance is not known. */
  costQuoteUsd: z.number().nullable(),
  /** Whether an endpoint is deployed once the run's gate has been judged. */
  deploy: EndpointSettings.shape.deploy.unwrap(),
  /** How the labels are read, in lines; empty without labels. */
  labels: z.array(z.string()),
});
/** A run that scores the predictions of another one again has no job. */
const Predicted = Planned.omit({ jobs: true, engine: true }).extend({ status: z.literal('predicted') });

/**
 * State `PlanRun`: resolves pipeline.json and job.json into a plan and writes the inputs of each job.
 *
 * SageMaker has not been called yet, and all problems are reported together. If the pipeline has its maximum of runs under way,
 * nothing is read, and the run waits.
 *
 * @throws {PlanRefused} after the problems have been written to the run's problems.json
 */
export const planRun = useCase({
  /** Sent by state `PlanRun`, and again after each wait for a turn, once tars are opened, and if the first bundle has no usable answer. */
  input: z.object({ run: RunParts }),
  /**
   * `waiting`: the pipeline has `limits.maxConcurrentRuns` under way, or other runs were faster to write its ledger.
   * `index`: tars are to be opened.
   */
  output: z.discriminatedUnion('status', [
    Planned,
    Predicted,
    z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
    z.object({ status: z.literal('index'), tars: z.int().positive() }),
  ]),
})(async ({ run }, services: PlanServices) => {
  const { store, clock, settings } = services;
  const [frozen, read] = await Promise.all([
    frozenJson(run).require(store),
    readConfiguration(store, run, settings.readBuckets),
  ]);
  const configuration = forTrial(forCandidate(read, frozen.candidate, store.bucket), frozen.trial);
  const written = writtenProblems(run.drop, frozen.problems, configuration);
  const limits = configuration.config?.limits ?? LimitSettings.parse({});
  const { origin } = frozen;
  const isRefused =
    origin.mode !== 'replay' && configuration.problems.length + (frozen.problems ?? []).length > 0;
  // A run that judges a candidate uses the place of its training, which waits for it; a rescore has no job.
  const hasPlace = isRefused || frozen.candidate !== undefined || origin.mode === 'rescore';
  const turn = hasPlace ? 'taken' : await takeTurn(store, run, limits, clock());
  if (turn !== 'taken') return { status: 'waiting', ...turn };
  const facts = { run, written, bucket: store.bucket, settings };
  const asked = origin.mode === 'replay' ? undefined : await askedFor(frozen, configuration, facts, store);
  const planned =
    origin.mode === 'replay'
      ? await planReplay({ run, of: origin.of, limits }, services)
      : asked === undefined
        ? await refusePlan(store, run, written)
        : await planBy(asked, services);
  if ('waitSeconds' in planned) return { status: 'waiting', ...planned };
  if ('unread' in planned) return { status: 'index', tars: planned.unread };
  const { jobs, objects, cost, endpoint, predictions } = planned;
  const { reading, check, classes } = planned.labels;
  const labels = reading && check ? [...readingText(readingLines(reading, check, classes))] : [];
  const about = {
    objects,
    costQuoteUsd: cost.quoteUsd,
    deploy: endpoint?.deploy ?? 'never',
    labels,
  } as const;
  return predictions === null
    ? { status: 'planned', jobs: jobs.length, engine: planned.engine.name, ...about }
    : { status: 'predicted', ...about };
});

/** Plans a run by today's configuration: reads, judges it for each engine, decides, and only then writes. */
async function planBy(uninformed: Asked, services: PlanServices): Promise<Plan | Waiting | UnreadTars> {
  const { store, clock } = services;
  const { asked, model } = await readBundling(uninformed, store, clock());
  const opened = await openInputs(asked, store);
  if ('unread' in opened) return opened;
  const found = await readFound(asked, opened, store, model);
  const [first = 'sagemaker', ...others] = found.inputs.keys();
  const decision = decide(found, [judge(found, first), ...others.map((name) => judge(found, name))]);
  switch (decision.status) {
    case 'refused':
      return refusePlan(store, asked.run, decision.problems);
    case 'unpack': {
      const unpacked = await openTars(asked, decision.verdict, store, {
        unpacks: true,
        cutsLines: false,
      });
      // Another call has unpacked them meanwhile.
      return 'unread' in unpacked ? unpacked : { waitSeconds: 1 };
    }
    case 'decided':
      return writePlan(decision, services);
  }
}

/** The request for a run: a drop afresh, or the model and the predictions of another run, under today's settings. */
async function askedFor(
  frozen: Frozen,
  configuration: Configuration,
  facts: Pick<Asked, 'run' | 'written' | 'bucket' | 'settings'>,
  store: ObjectStore,
): Promise<Asked | undefined> {
  const { origin } = frozen;
  if (origin.mode === 'drop' || origin.mode === 'rerun' || origin.mode === 'replay')
    return withConfig(configuration, { ...facts, frozen, original: null, bundling: null, firstAttempt: 1 });
  const plan = await planJson(RunParts.parse(origin.of)).require(store);
  const again = forRescore(configuration, plan);
  const purpose = origin.mode;
  const rest = { ...facts, frozen, original: { purpose, plan }, bundling: null, firstAttempt: 1 };
  if (purpose === 'rescore') return withConfig(again, rest);
  const config = again.config && { ...again.config, sample: null };
  return withConfig({ ...again, config }, rest);
}

function withConfig(configuration: Configuration, rest: Omit<Asked, 'configuration'>): Asked | undefined {
  const { config } = configuration;
  return config && { ...rest, configuration: { ...configuration, config } };
}

/**
 * Reads what is known about bundles to the archive of a run, before its inputs are opened: they are opened in another
 * way if none are sent. The model is read for that, unless no bundle would be sent.
 */
async function readBundling(
  before: Asked,
  store: ObjectStore,
  now: Date,
): Promise<{ readonly asked: Asked; readonly model: FoundModel | undefined }> {
  const { run, original, configuration, settings } = before;
  const { config } = configuration;
  if (original !== null) return { asked: before, model: undefined };
  const again = (await unbundledJson(run).read(store)) ?? null;
  // The attempts of the plan before are there, whatever pipeline.json says by now.
  const asked = { ...before, firstAttempt: again?.attempt ?? 1 };
  const form = bundleOfMany(asked, 'sagemaker')?.form;
  const isSent = form !== undefined && BUNDLE_TYPES[form] !== undefined;
  if (!isSent || !enginesFor(config).includes('sagemaker')) return { asked, model: undefined };
  const model = await readModel(store, run, { config, readBuckets: settings.readBuckets });
  const { imageUri } = engineAsked(asked, 'sagemaker', { work: null }).configuration;
  const { archive } = model;
  if (imageUri === undefined || archive === undefined || 'reason' in archive) return { asked, model };
  const way = bundleWay({ form, imageUri, config });
  const fact = await bundleFactJson(archive.sha256, way).read(store);
  return { asked: { ...asked, bundling: toBundling(archive, way, { fact, again }, now) }, model };
}
