import { type Frozen, isOfLateLabels } from '../drop/frozen.ts';
import { kindFor } from '../endpoints/kinds.ts';
import { HIDDEN_FILES } from '../file-kind/hidden-name.ts';
import { patchNotes } from '../frameworks/end-of-patch.ts';
import { notServedReason } from '../pipeline/not-served.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { resolveGate } from '../pipeline/resolve-gate.ts';
import { evaluationOf, toRunId } from '../run/run-id.ts';
import { dollars, grouped, short } from '../text/figures.ts';
import { said } from '../text/said.ts';
import { quoted } from '../text/shell-quoted.ts';
import { RUNTIME_TOLERANCE } from '../transform/limit-watch.ts';
import { isOneRecord } from '../transform/one-record.ts';
import type { Decided } from './decide/decide.ts';
import { startsContainer } from './engine/engine-config.ts';
import { gatePriceNotes } from './judge/gate-price.ts';
import type { Plan } from './plan.ts';
import type { Written } from './written.ts';

/** Notes for the reader, in sentences. */
export function notesOf(decided: Decided, written: Written, maxCostUsd: number | null): string[] {
  const { found, verdict } = decided;
  const { sending, notes, answers, model, served } = verdict;
  const { config, judgedByDrop, resolvedPrices } = verdict.configuration;
  const { jobs, quoteUsd, createdAt } = written;
  return [
    ...said(judgedByDrop.length > 0 && `this run cannot be served: its ${notServedReason(judgedByDrop)}`),
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

/** Notes on the cost of the gate to the run, if its inputs are one record each, all of them are sent, and each counts once. */
function priceNotes(decided: Decided): string[] {
  const { configuration, inputs } = decided.verdict;
  const { config } = configuration;
  const { labels, profile } = inputs;
  if (!isEven(decided) || excludedOf(profile) > 0) return [];
  const labeled = labels?.check.isWhole === true ? labels.check.labeled : undefined;
  const ofClasses = labels !== null && 'counts' in labels.reading ? labels.reading.counts : [];
  const known = { inputs: profile.sent.count, labeled, classes: ofClasses };
  return gatePriceNotes(resolveGate(config), known);
}

/** Whether all inputs of the drop are sent, are one record each, and each counts once. */
export function isEven({ found, verdict: { configuration, inputs } }: Decided): boolean {
  const { config, slices } = configuration;
  const isPart = inputs.drawn.rounds !== undefined || found.original?.purpose === 'continue';
  const isWhole = isOneRecord({ ...config.transform, columns: config.columns });
  return !isPart && isWhole && inputs.profile.copies === 0 && slices.clusters === null;
}

/** Inputs of the drop that reach no job. */
export function excludedOf({ excluded }: Pick<Plan, 'excluded'>): number {
  return Object.values(excluded).reduce((sum, count) => sum + count, 0);
}

/** Whether a container of SageMaker's runs the model, for its jobs or where it is served. */
function needsContainer({ transform, endpoint }: PipelineConfig): boolean {
  return (
    startsContainer({ transform }) || (endpoint.deploy !== 'never' && !kindFor(endpoint).runsInFunctions)
  );
}

/** Whether the pipeline has its owner's evaluation set, the only judge of the served model, and this run has other files. */
export function isJudgedElsewhere({ found, verdict }: Decided): boolean {
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
export function isLate({ found, verdict }: Decided): boolean {
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
  return said(
    `a sample of ${grouped(inputs)} of ${grouped(of)} inputs${drawn} (sample in ${file}) is quoted ` +
      `${costs(quoteUsd)}, the other ${grouped(of - inputs)} ${costs(restQuoteUsd)}`,
    deploy !== 'never' &&
      `a run of a sample is not deployed automatically: inferdrop continue ${quoted(toRunId(found.run))} predicts ` +
        'the rest, and judges all',
  );
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

/** Notes on lines that are sent with their label. */
function lineNotes({ transform, labels }: PipelineConfig): string[] {
  return said(
    labels.truth?.from === 'record' &&
      transform.inputFilter === null &&
      'the model gets the label that labels.truth finds in each line: columns names what it gets of a table, and so ' +
        'does transform.inputFilter, as in "$[1:]" or "$.features"',
  );
}

/** Notes jobs that are quoted longer than a run may take. */
export function runtimeNotes(
  jobs: readonly { readonly quotedSeconds: number }[],
  { maxRuntimeMinutes }: PipelineConfig['limits'],
): string[] {
  const minutes = jobs.reduce((sum, { quotedSeconds }) => sum + quotedSeconds, 0) / 60;
  if (minutes <= maxRuntimeMinutes) return [];
  const what = jobs.length === 1 ? 'the job is' : `the ${jobs.length} jobs are together`;
  const stopped = short(maxRuntimeMinutes * RUNTIME_TOLERANCE);
  return [
    `${what} quoted at ${Math.ceil(minutes)} minutes, limits.maxRuntimeMinutes is ${maxRuntimeMinutes}: past it no further job starts, ` +
      `and one that still runs after ${stopped} minutes is stopped and what it has predicted is lost: ` +
      'raise limits.maxRuntimeMinutes or transform.instanceCount',
  ];
}

/** Notes an upload that was still under way when the wait for its end was over. */
export function lateUploadNotes(isCutShort: boolean, { maxWaitMinutes }: PipelineConfig['drop']): string[] {
  if (!isCutShort) return [];
  return [
    `files were still arriving when drop.maxWaitMinutes ${maxWaitMinutes} ended the waiting: those that came later make a run of ` +
      'their own. Raise drop.maxWaitMinutes, or set it to 10080 and upload _READY last',
  ];
}
