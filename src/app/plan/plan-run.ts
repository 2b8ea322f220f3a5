import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { HIDDEN_FILES } from '../../drop/drop-key.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { RunId } from '../../run/run-id.ts';
import { batchAmi } from '../../model/gpu-ami.ts';
import { toModelName } from '../../model/model-name.ts';
import { EndpointSettings } from '../../pipeline/endpoint-settings.ts';
import { LimitSettings } from '../../pipeline/limit-settings.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { Problem } from '../../problem/problem.ts';
import { unlessOn } from '../../problem/unless-on.ts';
import type { Plan } from '../../plan/plan.ts';
import { lateUploadNotes, runtimeNotes } from '../../plan/cut-notes.ts';
import { dropNameProblems } from '../../plan/drop-name.ts';
import { gateProblems } from '../../plan/gate-problems.ts';
import { PlanRefused } from '../../plan/refused.ts';
import { resolveDataProcessing } from '../../plan/resolve-data-processing.ts';
import { settleAnswers } from '../../plan/settle-answers.ts';
import { settleProcessing } from '../../plan/settle-processing.ts';
import { resolveClasses, truthProblems } from '../../plan/resolve-labels.ts';
import { resolvePrices } from '../../plan/resolve-cost.ts';
import { resolveEndpoint } from '../../plan/resolve-endpoint.ts';
import { resolveImages } from '../../plan/resolve-images.ts';
import { costUsd } from '../../price/quote.ts';
import { containerLimits } from '../../transform/container-limits.ts';
import { largestAllowedBytes } from '../../transform/payload.ts';
import { isOneRecord } from '../../transform/one-record.ts';
import { settleTruth } from '../../plan/settle-truth.ts';
import { checkTruth } from './check-truth.ts';
import { findBaseline } from './find-baseline.ts';
import { reserveQuote, takeTurn } from './pipeline-limits.ts';
import { preflightModel } from './preflight-model.ts';
import { planJobs } from './plan-jobs.ts';
import { planReplay } from './plan-replay.ts';
import { profileInputs } from './profile-inputs.ts';
import { readConfiguration } from './read-configuration.ts';
import { sampleRecords } from './sample-records.ts';
import { noteUnreadLabels } from './unread-labels.ts';
import { requireRun } from '../records/require-run.ts';
import { toPlannedRecord } from '../../plan/planned-record.ts';
import { writeJobRecord } from '../records/job.ts';
import { planJson } from '../records/plan.ts';
import { freezingMark } from '../records/freezing.ts';
import { frozenJson } from '../records/frozen.ts';
import { problemsJson } from '../records/problems.ts';

export const PlanRunInput = z.object({
  run: RunId,
  /** False for executions of the release before, whose state machine knows no waiting: they go on without a place. */
  mayWait: z.boolean().default(false),
});
const Planned = z.object({
  status: z.literal('planned'),
  jobs: z.int().min(1),
  objects: z.int().min(1),
  /** Null where the price of the instance is not known. */
  costQuoteUsd: z.number().nullable(),
  /** What follows once the run's gate has been judged. */
  deploy: EndpointSettings.shape.deploy.unwrap(),
});

export const PlanRunOutput = z.discriminatedUnion('status', [
  Planned,
  z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
]);

export interface PlanRunServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  readonly settings: {
    readonly region: string;
    /** Buckets besides our own that models and inputs may come from. */
    readonly readBuckets: readonly string[];
    readonly modelRoleArn: string;
    readonly vpc: { readonly subnets: readonly string[]; readonly securityGroups: readonly string[] } | null;
    readonly kmsKeyArn: string | null;
  };
}

/**
 * State `PlanRun`: resolves pipeline.json and job.json into a plan and writes the inputs of each job.
 *
 * Nothing has been asked of SageMaker yet, so everything that is wrong is found here, all at once. Where the pipeline has as many runs
 * under way as it may, nothing is read, and the run is to ask again.
 *
 * @throws {PlanRefused} after the problems have been written to the run's problems.json
 */
export async function planRun(
  input: z.input<typeof PlanRunInput>,
  { store, clock, settings }: PlanRunServices,
): Promise<z.infer<typeof PlanRunOutput>> {
  const run = requireRun(input.run);
  const problems: Problem[] = [];
  const refuse = async (): Promise<never> => {
    await problemsJson(run).write(store, { schema: 1, problems });
    throw new PlanRefused(run, problems);
  };

  const [frozen, configuration] = await Promise.all([
    frozenJson(run).require(store),
    readConfiguration(store, run, settings.readBuckets),
  ]);
  const limits = configuration.config?.limits ?? LimitSettings.parse({});
  const isRefused =
    frozen.replayOf === undefined && configuration.problems.length + (frozen.problems ?? []).length > 0;
  const { mayWait = false } = input;
  const turn = isRefused || !mayWait ? 'taken' : await takeTurn(store, run, limits, clock());
  if (turn !== 'taken') {
    if ('waitSeconds' in turn) return { status: 'waiting', ...turn };
    problems.push(turn.problem);
    return refuse();
  }
  if (frozen.replayOf !== undefined) {
    const original = await planJson(requireRun(frozen.replayOf)).require(store);
    const reserved = await reserveQuote(store, run, limits, original.cost.quoteUsd, clock());
    if ('waitSeconds' in reserved && mayWait) return { status: 'waiting', ...reserved };
    if ('problem' in reserved) {
      problems.push(reserved.problem);
      return refuse();
    }
    const maxCostUsd = tighter(original.limits.maxCostUsd, 'leftUsd' in reserved ? reserved.leftUsd : null);
    const { jobs, objects, cost } = await planReplay(store, run, {
      original: { ...original, limits: { ...original.limits, maxCostUsd } },
      at: clock(),
    });
    return {
      status: 'planned',
      jobs: jobs.length,
      objects,
      costQuoteUsd: cost.quoteUsd,
      deploy: 'never',
    };
  }
  problems.push(...dropNameProblems(run.drop));
  problems.push(...(frozen.problems ?? []).map((found) => ({ ...found, value: toShownValue(found.value) })));
  for (const found of configuration.problems) {
    if (!problems.some(({ file, field }) => file === found.file && field === found.field))
      problems.push(found);
  }
  const { config } = configuration;
  if (config === undefined) return refuse();

  const labels = resolveClasses(config.labels.classes, configuration.classesText, configuration.labelsFile);
  const images = resolveImages(config, settings.region);
  const processing = resolveDataProcessing(config, configuration.labelsFile);
  const prices = resolvePrices(config, settings.region, configuration.prices);
  // What depends on a field that is wrong is judged when that one is corrected.
  const { problems: wrong } = configuration;
  const { labelsFile } = configuration;
  const truth = truthProblems(config.labels.truth, labelsFile);
  problems.push(
    ...unlessOn(['labels.classes'], wrong, labels.problems),
    ...truth,
    ...unlessOn(['labels.truth', 'transform'], wrong, processing.problems),
    ...unlessOn(['gate', 'report.baseline', 'labels.classes'], wrong, gateProblems(config, labels.classes)),
    ...unlessOn(['model', 'transform.instanceTypes'], wrong, images.problems),
    ...unlessOn(['limits'], wrong, prices.problems),
  );

  const mapping = { inputPrefix: frozen.sourcePrefix, outputPrefix: bucketLayout.predictions(run) };
  const allowedBytes = largestAllowedBytes(config.transform);
  const inputs = { manifest: bucketLayout.manifest(run), ...mapping, largestAllowedBytes: allowedBytes };
  const source = { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix };
  const lookAtInputs = async () => {
    const checked = await checkTruth(store, run, {
      ...config,
      ...config.labels,
      truth: labels.problems.length + truth.length === 0 ? config.labels.truth : null,
      classes: labels.classes,
      input: source,
      isOneRecord: isOneRecord(config.transform),
    });
    const profile = await profileInputs(store, inputs, checked.look);
    const found = await checked.finish();
    const settled = found && settleTruth({ ...found, ...config.labels, labelsFile });
    const problems = [...checked.problems, ...(settled?.problems ?? [])];
    const { file, index } = checked;
    return {
      profile,
      labelled: { problems, notes: settled?.notes ?? [], check: found?.check ?? null, file, index },
    };
  };
  const [preflight, { profile, labelled }, compared, unread, mark] = await Promise.all([
    preflightModel(store, run, config, settings.readBuckets),
    lookAtInputs(),
    findBaseline(store, run, config.report.baseline),
    noteUnreadLabels(store, run, config.labels.truth),
    freezingMark(run).read(store),
  ]);
  problems.push(
    ...unlessOn(['model'], wrong, preflight.problems),
    ...unlessOn(['report.baseline'], wrong, compared.problems),
    ...unlessOn(['labels'], wrong, labelled.problems),
  );
  const answers =
    preflight.answers &&
    settleAnswers({ ...config.labels, classes: labels.classes }, preflight.answers, labelsFile);
  if (answers !== undefined && labels.problems.length === 0)
    problems.push(...unlessOn(['labels', 'model', 'transform'], wrong, answers.problems));
  if (profile.sent.count === 0) problems.push(nothingToSend(profile.excluded));
  const settled =
    processing.asked &&
    settleProcessing(
      processing.asked,
      await sampleRecords(
        store.in(frozen.sourceBucket),
        profile.sample,
        config.transform.splitType === 'Line',
      ),
      { ...config.transform, classes: labels.classes, labelsFile: configuration.labelsFile },
    );
  if (settled !== undefined) problems.push(...unlessOn(['labels', 'transform'], wrong, settled.problems));
  const served = resolveEndpoint(config, {
    region: settings.region,
    prices: configuration.prices,
    hasVpc: settings.vpc !== null,
    archiveBytes: preflight.model?.sizeBytes,
    largestObjectBytes: profile.sent.largest,
  });
  for (const found of unlessOn(['endpoint', 'gate', 'model', 'transform'], wrong, served.problems))
    if (!problems.some(({ field, message }) => field === found.field && message === found.message))
      problems.push(found);
  if (problems.length > 0 || preflight.model === undefined || images.imageUri === undefined) return refuse();

  const createdAt = clock().toISOString();
  const jobs = await planJobs(store, run, { config, frozen, inputs, profile });
  const maxPayloadInMB = Math.max(...jobs.planned.map((job) => job.maxPayloadInMB));
  const identity = {
    sha256: preflight.model.sha256,
    imageUri: images.imageUri,
    environment: config.model.environment,
    executionRoleArn: settings.modelRoleArn,
    vpc: settings.vpc,
    networkIsolation: config.model.networkIsolation,
  };
  const [instanceType = ''] = config.transform.instanceTypes;
  const usdPerHour = prices.pricesUsd[instanceType] ?? null;
  const { instanceCount } = config.transform;
  const seconds = jobs.planned.reduce((sum, job) => sum + job.quotedSeconds, 0);
  const { judgedByDrop } = configuration;
  const byDrop = judgedByDropNote(judgedByDrop, config.endpoint.deploy);
  const deploy = judgedByDrop.length === 0 ? config.endpoint.deploy : 'never';
  const quoteUsd = usdPerHour === null ? null : costUsd(seconds, instanceCount, usdPerHour);
  const reserved = await reserveQuote(store, run, config.limits, quoteUsd, clock());
  if ('waitSeconds' in reserved && mayWait) return { status: 'waiting', ...reserved };
  if ('problem' in reserved) {
    problems.push(reserved.problem);
    return refuse();
  }
  const maxCostUsd = tighter(config.limits.maxCostUsd, 'leftUsd' in reserved ? reserved.leftUsd : null);
  const overQuote =
    quoteUsd !== null && maxCostUsd !== null && quoteUsd > maxCostUsd
      ? [
          `the quote of ${quoteUsd} US dollars is above limits.maxCostUsd ${maxCostUsd}: the run may end before all inputs are done`,
        ]
      : [];
  const environment = containerLimits(
    { ...config.model, ...config.transform, maxPayloadInMB },
    config.model.environment,
  );
  const { inputFilter: _inProcessing, ...transform } = config.transform;
  const plan: Plan = {
    schema: 1,
    run: input.run,
    createdAt,
    model: {
      name: toModelName(run.pipeline, { ...identity, bucket: store.bucket }),
      ...preflight.model,
      ...identity,
      framework: config.model.framework,
      frameworkVersion: config.model.frameworkVersion,
      vpc: identity.vpc && {
        subnets: [...identity.vpc.subnets],
        securityGroups: [...identity.vpc.securityGroups],
      },
    },
    input: source,
    transform: {
      ...transform,
      amiVersion: transform.amiVersion ?? batchAmi(transform.instanceTypes),
      maxConcurrentTransforms: jobs.planned[0]?.maxConcurrentTransforms ?? 1,
      maxPayloadInMB,
      dataProcessing: settled?.processing ?? null,
      environment,
      largestAllowedBytes: allowedBytes,
      kmsKeyArn: settings.kmsKeyArn,
    },
    labels: {
      classes: [...labels.classes],
      truth: config.labels.truth,
      file: labelled.file,
      index: labelled.index,
      strict: config.labels.strict,
      check: labelled.check,
      classOffset: config.labels.classOffset,
      scores: config.labels.scores,
      threshold: config.labels.threshold,
      single: answers?.single ?? 'class',
    },
    judgedByDrop: [...judgedByDrop],
    report: {
      topK: topKWithin(config.report.topK, labels.classes.length),
      calibrationBins: [...new Set(config.report.calibrationBins)].toSorted((a, b) => a - b),
      baseline: compared.baseline,
    },
    gate: config.gate,
    endpoint: served.endpoint && { ...served.endpoint, deploy },
    limits: { ...config.limits, maxCostUsd },
    cost: {
      quoteUsd,
      hourlyUsd: usdPerHour === null ? null : Math.round(usdPerHour * instanceCount * 10_000) / 10_000,
      pricesUsd: prices.pricesUsd,
      priceTableDate: prices.date,
      source: prices.source,
    },
    notes: [
      ...byDrop,
      ...hiddenNotes(frozen.hidden),
      ...profile.kinds.notes(),
      ...jobs.notes,
      ...(settled?.notes ?? []),
      ...(answers?.notes ?? []),
      ...compared.notes,
      ...labelled.notes,
      ...unread,
      ...lateUploadNotes(mark?.isCut === true, config.drop),
      ...served.notes,
      ...prices.notes,
      ...overQuote,
      ...runtimeNotes(jobs.planned, config.limits),
    ],
    objects: profile.sent.count,
    bytes: profile.sent.bytes,
    outlierBytes: jobs.outlierBytes,
    pilot: jobs.pilot,
    excluded: profile.excluded,
    jobs: jobs.planned,
  };
  await planJson(run).write(store, plan);
  await writeJobRecord(
    store,
    run,
    toPlannedRecord(plan, store.bucket, { attempt: 1, part: 1, at: clock(), outputsBefore: 0 }),
  );
  return {
    status: 'planned',
    jobs: jobs.planned.length,
    objects: plan.objects,
    costQuoteUsd: quoteUsd,
    deploy,
  };
}

/** The smaller of two bounds, of which either may be absent. */
function tighter(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function judgedByDropNote(fields: readonly string[], deploy: 'never' | 'when-gate-passes'): string[] {
  if (fields.length === 0 || deploy === 'never') return [];
  return [
    `job.json sets ${fields.join(', ')}, so this run is not deployed: what is served is judged by pipeline.json alone`,
  ];
}

function hiddenNotes(hidden: Frozen['hidden']): string[] {
  if (hidden === undefined) return [];
  const files = hidden.count === 1 ? '1 file is no input' : `${hidden.count} files are no inputs`;
  return [`${files}, such as ${JSON.stringify(hidden.first[0])}: ${HIDDEN_FILES} never reach the model`];
}

function nothingToSend(excluded: Plan['excluded']): Problem {
  const reasons = Object.entries(excluded).filter(([, count]) => count > 0);
  const why =
    reasons.length === 0
      ? 'has no files'
      : `has no file that can be sent: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')}`;
  return {
    file: 'drop',
    field: '',
    value: '',
    message: `${why}. Upload at least one file that is not empty`,
  };
}

/** A top-k of as many classes as there are is always 1. */
function topKWithin(topK: readonly number[], classes: number): number[] {
  const within = [...new Set(topK)].filter((k) => k <= classes).toSorted((a, b) => a - b);
  return within.length === 0 ? [1] : within;
}
