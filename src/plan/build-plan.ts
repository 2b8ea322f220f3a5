import type { Frozen } from '../drop/frozen.ts';
import { HIDDEN_FILES } from '../drop/hidden-name.ts';
import { patchNotes } from '../model/end-of-patch.ts';
import { toModelName } from '../model/model-name.ts';
import { notServedReason } from '../pipeline/not-served.ts';
import { resolveGate } from '../pipeline/resolve-gate.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { evaluationOf } from '../run/evaluation-drop.ts';
import { parseRunId, type RunParts, toRunId } from '../run/run-id.ts';
import type { StackSettings } from '../run/stack-settings.ts';
import { grouped } from '../text/figures.ts';
import { quoted } from '../text/shell-quoted.ts';
import { lateUploadNotes, runtimeNotes } from './cut-notes.ts';
import { engineOf } from './engine-of.ts';
import type { Sending } from './engine-planning.ts';
import type { JudgedConfiguration } from './judge-configuration.ts';
import type { Findings, JudgedFindings } from './judge-findings.ts';
import { modelEnvironment } from './model-environment.ts';
import type { Plan, PlannedJob } from './plan.ts';
import { tighter } from './tighter.ts';

/** Facts that a plan is made from. */
export interface PlanFacts {
  readonly run: RunParts;
  readonly createdAt: Date;
  /** The application's own bucket. */
  readonly bucket: string;
  readonly settings: StackSettings;
  readonly frozen: Frozen;
  /** Key prefix below which jobs find the inputs, where their names are not their keys. */
  readonly unpacked: string | null;
  readonly sending: Sending;
  readonly configuration: JudgedConfiguration;
  readonly imageUri: string;
  readonly model: NonNullable<Findings['preflight']['model']>;
  readonly findings: Findings;
  readonly judged: JudgedFindings;
  readonly jobs: {
    readonly planned: PlannedJob[];
    readonly outlierBytes: number | null;
    readonly pilot: string[];
    readonly notes: readonly string[];
  };
  readonly quoteUsd: number | null;
  /** Quote of what was not drawn; null where all is sent, and without a price. */
  readonly restQuoteUsd: number | null;
  /** Quote of all rounds that may follow, where the gate is decided early. */
  readonly mostUsd?: number | null;
  /** US dollars that the day has left for the run; null without a bound. */
  readonly leftUsd: number | null;
  readonly isCutShort: boolean;
  /** Whether `transform.engine` is "auto". */
  readonly isEngineChosen?: boolean;
  /** Label files of the drop that are not read, in sentences. */
  readonly unread: readonly string[];
}

/** Makes the plan of a run without problems. */
export function buildPlan(facts: PlanFacts): Plan {
  const { run, frozen, findings, judged, jobs, quoteUsd } = facts;
  const { config, classes, judgedByDrop, resolvedPrices: prices, slices } = facts.configuration;
  const engine = engineOf(config);
  const { labelled, compared, profile } = findings;
  const { sample, rounds } = findings.sampled;
  const maxCostUsd = tighter(config.limits.maxCostUsd, facts.leftUsd);
  const isJudge = judgedByDrop.length === 0 && !isJudgedElsewhere(facts);
  // The gate may deploy by itself only what it has judged whole, or has decided as early as it was asked to.
  const isProof = sample === null || rounds !== undefined;
  const deploy = isJudge && frozen.candidate === undefined && isProof ? config.endpoint.deploy : 'never';
  return {
    schema: 1,
    run: toRunId(run),
    isEngineChosen: facts.isEngineChosen === true,
    createdAt: facts.createdAt.toISOString(),
    model: plannedModel(facts),
    input: { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix, unpacked: facts.unpacked },
    outputs: facts.sending.outputs,
    bundle: facts.sending.bundle,
    predictions: null,
    continues: null,
    sample: sample && { ...sample, restQuoteUsd: facts.restQuoteUsd },
    rounds: rounds ? { ...rounds, upTo: [rounds.upTo], attempts: [1], isOpen: true, stopped: null } : null,
    engine: engine.plan(config, jobs.planned),
    transform: plannedTransform(facts),
    labels: {
      classes: [...classes],
      truth: config.labels.truth,
      file: labelled.file,
      index: labelled.index,
      strict: config.labels.strict,
      check: labelled.check,
      classOffset: config.labels.classOffset,
      scores: config.labels.scores,
      threshold: config.labels.threshold,
      single: judged.answers?.single ?? 'class',
    },
    judgedByDrop: [...judgedByDrop],
    setAside: setAsideFor(frozen),
    judging: facts.configuration.judging,
    report: {
      topK: topKWithin(config.report.topK, classes.length),
      calibrationBins: [...new Set(config.report.calibrationBins)].toSorted((a, b) => a - b),
      baseline: compared.baseline,
      images: config.report.images,
      slices: [...slices.dimensions],
    },
    previous: findings.previous ?? null,
    gate: resolveGate(config),
    endpoint: judged.served.endpoint && { ...judged.served.endpoint, deploy },
    limits: { ...config.limits, maxCostUsd },
    cost: {
      quoteUsd,
      hourlyUsd: engine.hourlyUsd(config, prices),
      pricesUsd: prices.pricesUsd,
      priceTableDate: prices.date,
      source: prices.source,
    },
    notes: notesOf(facts, maxCostUsd),
    objects: profile.sent.count,
    bytes: profile.sent.bytes,
    outlierBytes: jobs.outlierBytes,
    pilot: jobs.pilot,
    excluded: profile.excluded,
    jobs: jobs.planned,
  };
}

function plannedTransform({
  configuration: { config },
  judged,
  settings,
  sending,
}: PlanFacts): Plan['transform'] {
  const { contentType, accept, splitType, batchStrategy, assembleWith } = config.transform;
  return {
    ...{ contentType, accept, splitType, batchStrategy, assembleWith },
    dataProcessing: judged.processing?.processing ?? null,
    largestAllowedBytes: engineOf(config).largestAllowedBytes(config, sending.bundle),
    kmsKeyArn: settings.kmsKeyArn,
  };
}

function plannedModel({ run, bucket, model, imageUri, settings, configuration }: PlanFacts): Plan['model'] {
  const { framework, frameworkVersion, networkIsolation } = configuration.config.model;
  const environment = modelEnvironment(configuration.config.model);
  const { roleArn: executionRoleArn, vpc } = settings;
  const identity = { sha256: model.sha256, imageUri, environment, executionRoleArn, vpc, networkIsolation };
  return {
    name: toModelName(run.pipeline, { ...identity, bucket }),
    ...model,
    served: model.served ?? null,
    given: model.given ?? null,
    ...identity,
    framework,
    frameworkVersion,
    vpc: vpc && { subnets: [...vpc.subnets], securityGroups: [...vpc.securityGroups] },
  };
}

/** Notes for the reader, in sentences. */
function notesOf(facts: PlanFacts, maxCostUsd: number | null): string[] {
  const { configuration, findings, judged, jobs, quoteUsd, frozen, isCutShort, unread } = facts;
  const { config, judgedByDrop, resolvedPrices } = configuration;
  return [
    ...(judgedByDrop.length === 0 ? [] : [`this run cannot be served: its ${notServedReason(judgedByDrop)}`]),
    ...judgedElsewhereNote(facts),
    ...sampleNotes(facts),
    ...hiddenNotes(frozen.hidden),
    ...findings.profile.kinds.notes(),
    ...jobs.notes,
    ...judged.notes,
    ...(judged.processing?.notes ?? []),
    ...(judged.answers?.notes ?? []),
    ...(findings.preflight.notes ?? []),
    ...findings.compared.notes,
    ...findings.labelled.notes,
    ...findings.sliced.notes,
    ...unread,
    ...lateUploadNotes(isCutShort, config.drop),
    ...judged.served.notes,
    ...(config.model.image === null && startsContainer(config)
      ? patchNotes(config.model.framework, config.model.frameworkVersion, facts.createdAt)
      : []),
    ...resolvedPrices.notes,
    ...quoteNotes(quoteUsd, maxCostUsd),
    ...runtimeNotes(jobs.planned, config.limits),
  ];
}

/** Whether a container of SageMaker's runs the model, for its jobs or where it is served. */
function startsContainer({ transform, endpoint }: PlanFacts['configuration']['config']): boolean {
  return transform.engine !== 'lambda' || (endpoint.deploy !== 'never' && endpoint.type !== 'lambda');
}

/** Key of the list that the training of a candidate has left. */
function setAsideFor({ candidate }: Frozen): string | null {
  const training = candidate && parseRunId(candidate.training);
  return training === undefined ? null : bucketLayout.setAside(training);
}

/** Whether the pipeline has its owner's evaluation set, which alone decides which model is served, and this run is of other files. */
function isJudgedElsewhere({ run, configuration }: PlanFacts): boolean {
  const { training } = configuration.config;
  return training !== null && training.after.evaluate !== null && evaluationOf(run.drop) === undefined;
}

function judgedElsewhereNote(facts: PlanFacts): string[] {
  const { deploy } = facts.configuration.config.endpoint;
  if (deploy === 'never' || !isJudgedElsewhere(facts)) return [];
  return [
    `training.after.evaluate names the files that judge this pipeline's models, so this run deploys none: inferdrop endpoints deploy ${facts.run.pipeline} --run ${quoted(toRunId(facts.run))} does`,
  ];
}

function sampleNotes({
  run,
  findings,
  quoteUsd,
  restQuoteUsd,
  mostUsd = null,
  configuration,
}: PlanFacts): string[] {
  const { sample, rounds } = findings.sampled;
  if (sample === null) return [];
  const { inputs, of, by, file } = sample;
  const drawn = by === 'none' ? '' : `, drawn by ${by}`;
  const costs = (usd: number | null): string => (usd === null ? 'at no known price' : `at ${usd} US dollars`);
  if (rounds !== undefined) {
    return [
      `gate.decide is early: a first round of ${grouped(inputs)} of ${grouped(of)} inputs, drawn at random, is quoted ${costs(quoteUsd)}. Further rounds follow until the gate is decided, which may take all ${grouped(of)}: ${costs(mostUsd)} at most`,
    ];
  }
  const { deploy } = configuration.config.endpoint;
  return [
    `a sample of ${grouped(inputs)} of ${grouped(of)} inputs${drawn} (sample in ${file}) is quoted ${costs(quoteUsd)}, the other ${grouped(of - inputs)} ${costs(restQuoteUsd)}`,
    ...(deploy === 'never'
      ? []
      : [
          `a run of a sample is not deployed by itself: inferdrop continue ${quoted(toRunId(run))} predicts the rest, and judges all`,
        ]),
  ];
}

function hiddenNotes(hidden: Frozen['hidden']): string[] {
  if (hidden === undefined) return [];
  const files = hidden.count === 1 ? '1 file is not an input' : `${hidden.count} files are not inputs`;
  return [`${files}, such as ${JSON.stringify(hidden.first[0])}: ${HIDDEN_FILES} never reach the model`];
}

function quoteNotes(quoteUsd: number | null, maxCostUsd: number | null): string[] {
  if (quoteUsd === null || maxCostUsd === null || quoteUsd <= maxCostUsd) return [];
  return [
    `the quote of ${quoteUsd} US dollars is above limits.maxCostUsd ${maxCostUsd}: the run may end before all inputs are done`,
  ];
}

/** The values of k up to the number of classes, where top-k becomes 1, in ascending order; only 1 if there are none. */
function topKWithin(topK: readonly number[], classes: number): number[] {
  const within = [...new Set(topK)].filter((k) => k <= classes).toSorted((a, b) => a - b);
  return within.length === 0 ? [1] : within;
}
