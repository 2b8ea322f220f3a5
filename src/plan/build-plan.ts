import type { Frozen } from '../drop/frozen.ts';
import { IMAGES_VARIABLE } from '../frameworks/onnx/image-settings.ts';
import { mostErrors } from '../gate/proof.ts';
import { toModelName } from '../model/model-name.ts';
import { tighter } from '../pipeline/limit-settings.ts';
import type { ModelSettings } from '../pipeline/model-settings.ts';
import { placeOfTruth } from '../pipeline/place-of-truth.ts';
import { actsByItself, resolveGate } from '../pipeline/resolve-gate.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { parseRunId, toRunId } from '../run/run-id.ts';
import type { Decided } from './decide/decide.ts';
import type { Plan } from './plan.ts';
import { excludedOf, isEven, isJudgedElsewhere, isLate, notesOf } from './plan-notes.ts';
import type { Written } from './written.ts';

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
  // The gate may deploy on its own only if it judged the whole drop, or decided as early as configured.
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
      task: config.labels.task,
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
    contentType,
    accept,
    splitType,
    batchStrategy,
    assembleWith,
    inputFilter,
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

/** Inputs that may go unanswered; null if errors aren't counted by the input, or trained-on inputs are left out. */
function mostErrorsOf(decided: Decided): number | null {
  const { profile } = decided.verdict.inputs;
  const gate = resolveGate(decided.verdict.configuration.config);
  if (gate?.maxErrorRate === undefined || !isEven(decided) || decided.found.frozen.candidate !== undefined)
    return null;
  const most = mostErrors(gate.maxErrorRate, gate.confidence, profile.sent.count + excludedOf(profile));
  return most < 0 ? null : most;
}

/** Key of the list that the training of a candidate has left. */
function setAsideFor({ candidate }: Frozen): string | null {
  const training = candidate && parseRunId(candidate.training);
  return training === undefined ? null : bucketLayout.setAside(training);
}

/** The values of k up to the number of classes (there, top-k becomes 1), in ascending order; only 1 if there are none. */
function topKWithin(topK: readonly number[], classes: number): number[] {
  const within = [...new Set(topK)].filter((k) => k <= classes).toSorted((a, b) => a - b);
  return within.length === 0 ? [1] : within;
}
