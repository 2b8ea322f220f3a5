import { type Frozen, isOfLateLabels } from '../drop/frozen.ts';
import { kindFor } from '../endpoints/kinds.ts';
import { HIDDEN_FILES } from '../file-kind/hidden-name.ts';
import { patchNotes } from '../frameworks/end-of-patch.ts';
import { IMAGES_VARIABLE } from '../frameworks/onnx/image-settings.ts';
import { mostErrors } from '../gate/proof.ts';
import { toModelName } from '../model/model-name.ts';
import type { ModelSettings } from '../pipeline/model-settings.ts';
import { notServedReason } from '../pipeline/not-served.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { placeOfTruth } from '../pipeline/place-of-truth.ts';
import { actsByItself, resolveGate } from '../pipeline/resolve-gate.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { evaluationOf } from '../run/evaluation-drop.ts';
import { parseRunId, toRunId } from '../run/run-id.ts';
import { dollars, grouped } from '../text/figures.ts';
import { quoted } from '../text/shell-quoted.ts';
import { isOneRecord } from '../transform/one-record.ts';
import type { Decided } from './decide/decide.ts';
import { tighter } from './decide/tighter.ts';
import { startsContainer } from './engine/engine-config.ts';
import { gatePriceNotes } from './judge/gate-price.ts';
import type { Plan, PlannedJob } from './plan.ts';
import { lateUploadNotes, runtimeNotes } from './quote/cut-notes.ts';

/** Results of writing a run's files, which its plan needs. */
export interface Written {
  readonly createdAt: Date;
  readonly model: Pick<
    Plan['model'],
    'artifact' | 'artifactVersion' | 'artifactEtag' | 'sha256' | 'sizeBytes' | 'served' | 'given'
  >;
  /** Keys of the copy of the label file, and of the index of its sorted parts; its ETag; null if there are none. */
  readonly labels: Pick<Plan['labels'], 'file' | 'etag' | 'index'>;
  readonly jobs: {
    readonly planned: readonly PlannedJob[];
    readonly outlierBytes: number | null;
    readonly pilot: readonly string[];
    /** Whether a pilot was asked for. */
    readonly isPilot: boolean;
    readonly notes: readonly string[];
  };
  readonly quoteUsd: number | null;
  /** Quote of the inputs that weren't drawn; null if all are sent, and without a price. */
  readonly restQuoteUsd: number | null;
  /** Quote of all rounds that may follow, if the gate is decided early. */
  readonly mostUsd: number | null;
  /** US dollars that the day has left for the run; null without a bound. */
  readonly leftUsd: number | null;
}

/** Makes the plan of a run from the decision about it and from the files that were written for it. */
export function buildPlan(decided: Decided, written: Written): Plan {
  const { found, verdict } = decided;
  const { run, frozen, opened, compared } = found;
  const { jobs, quoteUsd } = written;
  const { configuration, planning: engine, sending, answers, served, inputs } = verdict;
  const { config, classes, judgedByDrop, resolvedPrices: prices, slices } = configuration;
  const { profile, labels, drawn } = inputs;
  const { sample, rounds } = drawn;
  const maxCostUsd = tighter(config.limits.maxCostUsd, written.leftUsd);
  const gate = resolveGate(config);
  const isJudge = judgedByDrop.length === 0 && !isJudgedElsewhere(decided);
  // The gate may deploy by itself only what it has judged whole, or has decided as early as it was asked to.
  const isProof = sample === null || rounds !== undefined;
  const mayDeploy = isJudge && frozen.candidate === undefined && isProof && !isLate(decided);
  const deploy = mayDeploy ? config.endpoint.deploy : 'never';
  return {
    schema: 1,
    run: toRunId(run),
    isEngineChosen: found.inputs.size > 1,
    createdAt: written.createdAt.toISOString(),
    model: plannedModel(decided, written),
    input: { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix, unpacked: opened.unpacked },
    outputs: sending.outputs,
    bundle: sending.bundle,
    firstBundle: firstBundleOf(decided, jobs.isPilot),
    predictions: null,
    continues: null,
    sample: sample && { ...sample, restQuoteUsd: written.restQuoteUsd },
    rounds: rounds
      ? { ...rounds, upTo: [rounds.upTo], attempts: [found.firstAttempt], isOpen: true, stopped: null }
      : null,
    engine: engine.plan(config, jobs.planned),
    transform: plannedTransform(decided),
    labels: {
      classes: [...classes],
      truth: config.labels.truth,
      ...written.labels,
      strict: config.labels.strict,
      check: labels?.check ?? null,
      reading: plannedReading(decided),
      classOffset: config.labels.classOffset,
      scores: config.labels.scores,
      threshold: config.labels.threshold,
      single: answers?.single ?? 'class',
      ...(answers?.ids && { ids: [...answers.ids] }),
      outcomes: config.labels.outcomes,
      since: [...found.since],
      gateActs:
        gate !== null && (gate.confidence !== null || actsByItself(config) || frozen.candidate !== undefined),
    },
    judgedByDrop: [...judgedByDrop],
    setAside: setAsideFor(frozen),
    judging: configuration.judging,
    report: {
      topK: topKWithin(config.report.topK, classes.length),
      baseline: compared.baseline,
      images: config.report.images,
      slices: [...slices.dimensions],
      clusters: slices.clusters,
    },
    previous: found.previous,
    gate,
    endpoint: served.endpoint && { ...served.endpoint, deploy },
    limits: { ...config.limits, maxCostUsd, mostErrors: mostErrorsOf(decided) },
    cost: {
      quoteUsd,
      hourlyUsd: engine.hourlyUsd(config, prices),
      pricesUsd: prices.pricesUsd,
      priceTableDate: prices.date,
      source: prices.source,
    },
    notes: notesOf(decided, written, maxCostUsd),
    objects: profile.sent.count,
    bytes: profile.sent.bytes,
    outlierBytes: jobs.outlierBytes,
    pilot: [...jobs.pilot],
    excluded: profile.excluded,
    jobs: [...jobs.planned],
  };
}

function firstBundleOf({ found: { bundling }, verdict }: Decided, isPilot: boolean): Plan['firstBundle'] {
  const known = verdict.firstBundle ?? (bundling?.again ? bundling : null);
  if (known === null) return null;
  const { archive, way } = known;
  return { archive, way, isPilot, refused: bundling?.again?.why ?? null };
}

/** How the labels of the run are read, with where they are. */
function plannedReading({ found: { labelFile }, verdict }: Decided): Plan['labels']['reading'] {
  const { truth, numbers } = verdict.configuration.config.labels;
  const reading = verdict.inputs.labels?.reading;
  if (reading === undefined || 'refusal' in reading) return null;
  return { ...reading, isSet: numbers !== null, from: labelFile?.from ?? placeOfTruth(truth) };
}

function plannedTransform({ found, verdict }: Decided): Plan['transform'] {
  const { configuration, planning, sending } = verdict;
  const { config } = configuration;
  const { contentType, accept, splitType, batchStrategy, assembleWith, inputFilter } = config.transform;
  return {
    ...{ contentType, accept, splitType, batchStrategy, assembleWith, inputFilter },
    columns: config.columns,
    largestAllowedBytes: planning.largestAllowedBytes(config, sending.bundle),
    kmsKeyArn: found.settings.kmsKeyArn,
  };
}

/** Variables of the container that a model asks for: its own, and the settings that the handler of ONNX archives reads. */
function modelEnvironment({ environment, images }: ModelSettings): Record<string, string> {
  return { ...environment, ...(images !== null && { [IMAGES_VARIABLE]: JSON.stringify(images) }) };
}

function plannedModel({ found, verdict: { configuration } }: Decided, { model }: Written): Plan['model'] {
  const { run, bucket, settings } = found;
  const { config, imageUri } = configuration;
  const { framework, frameworkVersion, networkIsolation } = config.model;
  const environment = modelEnvironment(config.model);
  const { roleArn: executionRoleArn, vpc } = settings;
  const identity = { sha256: model.sha256, imageUri, environment, executionRoleArn, vpc, networkIsolation };
  return {
    name: toModelName(run.pipeline, { ...identity, bucket }),
    ...model,
    ...identity,
    framework,
    frameworkVersion,
    vpc: vpc && { subnets: [...vpc.subnets], securityGroups: [...vpc.securityGroups] },
  };
}

/** Notes for the reader, in sentences. */
function notesOf(decided: Decided, written: Written, maxCostUsd: number | null): string[] {
  const { found, verdict } = decided;
  const { sending, notes, answers, model, served } = verdict;
  const { config, judgedByDrop, resolvedPrices } = verdict.configuration;
  const { jobs, quoteUsd, createdAt } = written;
  return [
    ...(judgedByDrop.length === 0 ? [] : [`this run cannot be served: its ${notServedReason(judgedByDrop)}`]),
    ...judgedElsewhereNote(decided),
    ...lateLabelsNote(decided),
    ...sampleNotes(decided, written),
    ...hiddenNotes(found.frozen.hidden),
    ...decided.notes,
    ...found.opened.notes,
    ...sending.notes,
    ...jobs.notes,
    ...lineNotes(config),
    ...(answers?.notes ?? []),
    ...model.notes,
    ...found.compared.notes,
    ...notes.labels,
    ...notes.slices,
    ...priceNotes(decided),
    ...found.unread,
    ...lateUploadNotes(found.isCutShort, config.drop),
    ...served.notes,
    ...(config.model.image === null && needsContainer(config)
      ? patchNotes(config.model.framework, config.model.frameworkVersion, createdAt)
      : []),
    ...resolvedPrices.notes,
    ...quoteNotes(quoteUsd, maxCostUsd),
    ...runtimeNotes(jobs.planned, config.limits),
  ];
}

/** Notes on what the gate asks of the run, if its inputs are one record each, all of them are sent, and each counts once. */
function priceNotes(decided: Decided): string[] {
  const { configuration, inputs } = decided.verdict;
  const { config } = configuration;
  const { labels, profile } = inputs;
  if (!isEven(decided) || excludedOf(profile) > 0) return [];
  const labelled = labels?.check.isWhole === true ? labels.check.labelled : undefined;
  const ofClasses = labels !== null && 'counts' in labels.reading ? labels.reading.counts : [];
  const known = { inputs: profile.sent.count, labelled, classes: ofClasses };
  return gatePriceNotes(resolveGate(config), known);
}

/** Whether all inputs of the drop are sent, are one record each, and each counts once. */
function isEven({ found, verdict: { configuration, inputs } }: Decided): boolean {
  const { config, slices } = configuration;
  const isPart = inputs.drawn.rounds !== undefined || found.original?.purpose === 'continue';
  const isWhole = isOneRecord({ ...config.transform, columns: config.columns });
  return !isPart && isWhole && inputs.profile.copies === 0 && slices.clusters === null;
}

function excludedOf({ excluded }: Pick<Plan, 'excluded'>): number {
  return Object.values(excluded).reduce((sum, count) => sum + count, 0);
}

/** Inputs that may have no answer; null where errors aren't counted by the input, or what was trained on is left out. */
function mostErrorsOf(decided: Decided): number | null {
  const { profile } = decided.verdict.inputs;
  const gate = resolveGate(decided.verdict.configuration.config);
  if (gate?.maxErrorRate === undefined || !isEven(decided) || decided.found.frozen.candidate !== undefined)
    return null;
  const most = mostErrors(gate.maxErrorRate, gate.confidence, profile.sent.count + excludedOf(profile));
  return most < 0 ? null : most;
}

/** Whether a container of SageMaker's runs the model, for its jobs or where it is served. */
function needsContainer({ transform, endpoint }: PipelineConfig): boolean {
  return (
    startsContainer({ transform }) || (endpoint.deploy !== 'never' && !kindFor(endpoint).runsInFunctions)
  );
}

/** Key of the list that the training of a candidate has left. */
function setAsideFor({ candidate }: Frozen): string | null {
  const training = candidate && parseRunId(candidate.training);
  return training === undefined ? null : bucketLayout.setAside(training);
}

/** Whether the pipeline has its owner's evaluation set, which alone decides which model is served, and this run is of other files. */
function isJudgedElsewhere({ found, verdict }: Decided): boolean {
  const { training } = verdict.configuration.config;
  return training !== null && training.after.evaluate !== null && evaluationOf(found.run.drop) === undefined;
}

function judgedElsewhereNote(decided: Decided): string[] {
  const { found, verdict } = decided;
  const { deploy } = verdict.configuration.config.endpoint;
  if (deploy === 'never' || !isJudgedElsewhere(decided)) return [];
  const { run } = found;
  return [
    `training.after.evaluate names the files that judge this pipeline's models, so this run deploys none: inferdrop ` +
      `endpoints deploy ${run.pipeline} --run ${quoted(toRunId(run))} does`,
  ];
}

/** Whether the run judges by labels that arrived after the predictions, and that pipeline.json doesn't call outcomes. */
function isLate({ found, verdict }: Decided): boolean {
  return isOfLateLabels(found.run, found.frozen) && !verdict.configuration.config.labels.outcomes;
}

function lateLabelsNote(decided: Decided): string[] {
  const { found, verdict } = decided;
  if (!isLate(decided) || verdict.configuration.config.endpoint.deploy === 'never') return [];
  const { run } = found;
  return [
    'labels that arrive after the predictions deploy nothing automatically unless labels.outcomes is true: inferdrop ' +
      `endpoints deploy ${run.pipeline} --run ${quoted(toRunId(run))} does`,
  ];
}

function sampleNotes(
  { found, verdict }: Decided,
  { quoteUsd, restQuoteUsd, mostUsd }: Pick<Written, 'quoteUsd' | 'restQuoteUsd' | 'mostUsd'>,
): string[] {
  const { sample, rounds } = verdict.inputs.drawn;
  if (sample === null) return [];
  const { inputs, of, by, file } = sample;
  const drawn = by === 'none' ? '' : `, drawn by ${by}`;
  const costs = (usd: number | null): string => (usd === null ? 'at no known price' : `at ${dollars(usd)}`);
  if (rounds !== undefined) {
    return [
      `gate.decide is early: a first round of ${grouped(inputs)} of ${grouped(of)} inputs, drawn at random, is quoted ` +
        `${costs(quoteUsd)}. Further rounds follow until the gate is decided, which may take all ${grouped(of)}: ` +
        `${costs(mostUsd)} at most`,
    ];
  }
  const { deploy } = verdict.configuration.config.endpoint;
  return [
    `a sample of ${grouped(inputs)} of ${grouped(of)} inputs${drawn} (sample in ${file}) is quoted ` +
      `${costs(quoteUsd)}, the other ${grouped(of - inputs)} ${costs(restQuoteUsd)}`,
    ...(deploy === 'never'
      ? []
      : [
          `a run of a sample is not deployed automatically: inferdrop continue ${quoted(toRunId(found.run))} predicts ` +
            'the rest, and judges all',
        ]),
  ];
}

function hiddenNotes(hidden: Frozen['hidden']): string[] {
  if (hidden === undefined) return [];
  const files =
    hidden.count === 1 ? '1 file is not an input' : `${grouped(hidden.count)} files are not inputs`;
  return [`${files}, such as ${JSON.stringify(hidden.first[0])}: ${HIDDEN_FILES} never reach the model`];
}

function quoteNotes(quoteUsd: number | null, maxCostUsd: number | null): string[] {
  if (quoteUsd === null || maxCostUsd === null || quoteUsd <= maxCostUsd) return [];
  return [
    `the quote of ${dollars(quoteUsd)} is above limits.maxCostUsd (${dollars(maxCostUsd)}): the run may stop before all inputs are done`,
  ];
}

/** The values of k up to the number of classes, where top-k becomes 1, in ascending order; only 1 if there are none. */
function topKWithin(topK: readonly number[], classes: number): number[] {
  const within = [...new Set(topK)].filter((k) => k <= classes).toSorted((a, b) => a - b);
  return within.length === 0 ? [1] : within;
}

/** Notes on lines that are sent with their label. */
function lineNotes({ transform, labels }: PipelineConfig): string[] {
  return labels.truth?.from === 'record' && transform.inputFilter === null
    ? [
        'the model gets the label that labels.truth finds in each line: columns names what it gets of a table, and so ' +
          'does transform.inputFilter, as in "$[1:]" or "$.features"',
      ]
    : [];
}
