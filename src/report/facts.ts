import { changedLabels } from '../label/label-changes.ts';
import type { ReportedReview } from '../metric/blind-review.ts';
import { toSliceName } from '../slice/slice-name.ts';
import { UNJUDGED } from '../tasks/unjudged.ts';
import {
  decimal,
  dollars,
  duration,
  grouped,
  percent,
  plural,
  pText,
  short,
  signedPercent,
  unbilled,
} from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import { quoted } from '../text/shell-quoted.ts';
import type { Report } from './report.ts';
import { isRelabeledOnly } from './report-comparison.ts';
import { isWeaker } from './report-slices.ts';
import { labelChangesNote } from './text/label-changes-text.ts';
import { reasonsText } from './text/reasons-text.ts';
import { replayText } from './text/replay-text.ts';
import { restsOn } from './text/rests-on.ts';
import { tellsOfLabels } from './text/suspects-text.ts';

/** A figure in words: page, message, Markdown, terminal and SVG print the same ones. */
export interface Fact {
  /** At most ten characters for a figure that is printed as text, with values below each other. */
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
  /** Section of the page that has more. */
  readonly section?: string;
  /** Whether a verdict is worth less for it: pages print it in orange. */
  readonly warns?: boolean;
}

type Quality = NonNullable<Report['quality']>;

/** The labeled share from which labels stand for all inputs, the same as for a gate that acts. */
const WHOLE_SHARE = 0.9;

/** The cost of a run or training; on a stack that nobody is billed for, its quote. */
export function costFact(
  { costUsd, quoteUsd }: Readonly<Record<'costUsd' | 'quoteUsd', number | null>>,
  { what, quoted = 'quoted', isBilled }: { what: string; quoted?: string; isBilled: boolean },
): Fact {
  if (!isBilled) return { label: 'Cost', value: unbilled(quoteUsd ?? costUsd) };
  const quote = quoteUsd === null ? '' : `, ${quoted} ${dollars(quoteUsd)}`;
  return { label: 'Cost', value: dollars(costUsd), note: `${what}${quote}` };
}

/** The figures that sum up a run; `isBilled` is false on a stack of this machine. */
export function facts(report: Report, isBilled = true): readonly Fact[] {
  const { quality, total, records, errors, costUsd, seconds, rescoreOf } = report;
  const quoteUsd = report.setup?.quoteUsd ?? null;
  return [
    unjudgedFact(report),
    quality !== null && accuracyFact(quality, report.sample, report.ledger),
    quality !== null && restsFact(report.ledger),
    sampleFact(report),
    {
      label: 'Inputs',
      value: grouped(total),
      note: records + errors > total ? `${plural(records, 'record')} predicted` : undefined,
    },
    records + errors > 0 && errorsFact(report),
    ...comparisonFacts(report),
    sliceFact(report.slices),
    ...labelChangeFacts(report),
    suspectFact(report),
    rescoreOf !== null && {
      label: 'Rescore of',
      value: rescoreOf,
      note: 'its predictions, scored again without a job',
    },
    costFact({ costUsd, quoteUsd }, { what: rescoreOf === null ? 'for its jobs' : 'no job ran', isBilled }),
    { label: 'Time', value: duration(seconds) },
  ].filter((fact) => fact !== false);
}

function unjudgedFact({ task, records }: Report): Fact | false {
  const note = UNJUDGED[task];
  return note !== null && records > 0 && { label: 'Answers', value: 'not judged', note };
}

/**
 * Accuracy, its interval, and the counts that it comes from; for a sample, both are estimates of the whole drop, and each class
 * that was drawn separately has the weight of its size.
 */
export function accuracyFact(
  quality: Quality,
  sample: Report['sample'],
  ledger: Report['ledger'] = null,
): Fact {
  const { accuracy, accuracyInterval, correct, labeled } = quality;
  const { low, high } = accuracyInterval;
  const share = judgedShare(quality, ledger);
  const judged = share === undefined ? '' : `; ${share}`;
  const right = `${grouped(correct)} of ${grouped(labeled)}${sample === null ? '' : ' drawn'} right`;
  const weighed = isWeighted(quality) ? ', each class weighed by its size in the drop' : '';
  const interval = `${percent(low)} to ${percent(high)}`;
  const whole = sample === null ? '' : ` of all ${grouped(sample.of)}`;
  const note = sample?.early
    ? `${right}; ${ofAll(low, high, sample)}${judged}`
    : `${right}${weighed}, 95% interval ${interval}${whole}${judged}`;
  return { label: 'Accuracy', value: percent(accuracy), note };
}

/** The share that the gate judges, if it isn't the accuracy. */
export function judgedShare(quality: Quality, ledger: Report['ledger']): string | undefined {
  // The gate also weighs classes, so that the plain share is no figure that anything judges.
  if (ledger === null || ledger.labeled === 0 || isWeighted(quality)) return undefined;
  const share = percent(ledger.right / ledger.labeled);
  if (share === percent(quality.accuracy)) return undefined;
  return `${share} of all ${grouped(ledger.labeled)} labeled`;
}

/** Whether classes were drawn separately, and count by their sizes. */
function isWeighted({ accuracy, correct, labeled }: Quality): boolean {
  return Math.abs(accuracy - correct / labeled) > 1e-6;
}

function restsFact(ledger: Report['ledger']): Fact | false {
  const rests = ledger && restsOn(ledger);
  if (!ledger || !rests) return false;
  const isPartial = ledger.uncounted > 0 || ledger.labeled < WHOLE_SHARE * ledger.distinct;
  return { label: 'Rests on', ...rests, ...(isPartial && { warns: true }) };
}

/** The accuracy of a whole drop with some predicted rounds. */
function ofAll(
  low: number,
  high: number,
  { of, early }: Pick<NonNullable<Report['sample']>, 'of' | 'early'>,
): string {
  return (
    `the accuracy of all ${grouped(of)} is between ${percent(low)} and ${percent(high)} ` +
    `(${sharePercent(early?.confidence ?? 0)} confidence)`
  );
}

function sampleFact({ run, sample, gate }: Report): Fact | false {
  if (sample === null) return false;
  const { inputs, of, by, restQuoteUsd, early } = sample;
  const share = `${grouped(inputs)} of ${grouped(of)} inputs`;
  const rest = `the other ${grouped(of - inputs)} were not predicted, quoted ${dollars(restQuoteUsd)}: inferdrop continue ${quoted(run)}`;
  if (!early)
    return {
      label: 'Sample',
      value: share,
      note: `drawn at random${by === 'none' ? '' : ` by ${by}`}; ${rest}`,
    };
  const leans = 'stopped when the evidence sufficed, so that the share drawn leans to the verdict; ';
  return gate.verdict === 'none'
    ? { label: 'Undecided', value: `after ${share}`, note: rest }
    : { label: 'Decided', value: `after ${share}`, note: leans + rest };
}

function errorsFact({ errors, errorRate, errorsByReason }: Report): Fact {
  if (errors === 0) return { label: 'Errors', value: 'none', note: 'all have a prediction' };
  const reasons = reasonsText(errorsByReason);
  const note = `without a usable prediction${reasons === '' ? '' : `: ${reasons}`}; ${percent(errorRate, 2)} count as errors`;
  return { label: 'Errors', value: grouped(errors), note, section: 'errors' };
}

/** Facts of the comparison with another run. */
export function comparisonFacts({
  comparison,
  sample,
  task,
}: Pick<Report, 'comparison' | 'sample' | 'task'>): readonly Fact[] {
  if (comparison === null) return [];
  const { baseline, replay, accuracy, pValue, inputs, lost, gained, relabeled, answered, sameClass } =
    comparison;
  const common =
    UNJUDGED[task] !== null
      ? `${grouped(sameClass)} of ${plural(answered, 'answer')} are the same`
      : accuracy === null
        ? `${plural(inputs.paired, 'input')} in common, none with a truth and both predictions`
        : `on ${plural(accuracy.records, 'record')} of both: ${grouped(lost)} lost, ${grouped(gained)} gained`;
  const against = replay
    ? { label: 'Replay of', value: baseline, note: replayText(comparison, task) }
    : { label: 'Baseline', value: baseline, note: common + unpairedText(inputs) };
  const tested = pValue === null ? '' : `; McNemar ${pText(pValue)}`;
  const labels = relabeled > 0 && {
    label: 'Relabeled',
    value: plural(relabeled, 'record'),
    note:
      'their labels differ between the runs, and both runs are judged by the labels of this ' +
      `one${isRelabeledOnly(comparison) ? '; the answers are the same, so any difference in accuracy comes from the labels' : ''}`,
  };
  const changed = accuracy !== null && {
    label: 'Change',
    value: `${signedPercent(accuracy.change)} points`,
    note: sample?.early
      ? `between ${signedPercent(accuracy.interval.low)} and ${signedPercent(accuracy.interval.high)} points on all ` +
        `inputs of both (${sharePercent(sample.early.confidence)} confidence)`
      : `95% interval ${signedPercent(accuracy.interval.low)} to ${signedPercent(accuracy.interval.high)}${tested}`,
  };
  return [labels, changed, against]
    .filter((fact) => fact !== false)
    .map((fact) => ({ ...fact, section: 'comparison' }));
}

/** Inputs that are compared with none; empty if all are paired. */
function unpairedText({ changed, added, missing }: NonNullable<Report['comparison']>['inputs']): string {
  const here = added + changed;
  const there = missing === null ? 0 : missing + changed;
  const parts = [
    here > 0 && `${grouped(here)} of this run`,
    there > 0 && `${grouped(there)} of the other`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `; inputs without a partner: ${parts.join(', ')}`;
}

/** The weakest slice, if more than chance is behind it. */
function sliceFact(slices: Report['slices']): Fact | false {
  const weakest = slices?.weakest.find(isWeaker);
  if (slices === null || weakest === undefined) return false;
  const { dimension, value, accuracy, labeled, correct, difference, pValue } = weakest;
  const rest = `${grouped(correct)} of ${grouped(labeled)} right, the rest ${percent(accuracy - (difference ?? 0))}`;
  const tested = `${pText(pValue ?? 1)} after Holm’s correction for ${plural(slices.tested, 'slice')}`;
  const note = `${toSliceName(dimension, value)}: ${rest}; ${tested}`;
  return { label: 'Weakest', value: percent(accuracy), note, section: 'slices' };
}

function labelChangeFacts({ labelChanges }: Report): readonly Fact[] {
  if (labelChanges === null) return [];
  const { review, seenToward } = labelChanges;
  const count = changedLabels(labelChanges);
  const changed = {
    label: 'Labels',
    value: `${grouped(count)} changed`,
    note: labelChangesNote(labelChanges),
    ...(seenToward > 0 && { warns: true }),
  };
  return [count > 0 && changed, review !== null && reviewFact(review)].filter((fact) => fact !== false);
}

/** The accuracy that readers who saw neither label nor answer give the model. */
function reviewFact({ mistakes, right, low, high, confidence }: ReportedReview): Fact {
  const waiting = mistakes.waiting + right.waiting;
  return {
    label: 'Reviewed',
    value: `${percent(low)} to ${percent(high)}`,
    note:
      `accuracy by a blind review of ${grouped(mistakes.read)} of ${plural(mistakes.count, 'mistake')} and ` +
      `${grouped(right.read)} of ${plural(right.count, 'right answer')}, ` +
      `at ${sharePercent(confidence)} confidence${waiting === 0 ? '' : `; ${grouped(waiting)} more wait for a second reader`}`,
  };
}

function suspectFact({ suspectLabels: found, classes }: Report): Fact | false {
  if (found === null || !tellsOfLabels(found, classes)) return false;
  const value = `${grouped(found.suspects)} worth a look`;
  return { label: 'Labels', value, note: `of ${plural(found.mistakes, 'mistake')}`, section: 'suspects' };
}

/** Every figure of the predictions with a truth, for the page. */
export function qualityFacts(quality: Quality): readonly Fact[] {
  const { macro, weighted } = quality;
  return [
    { label: 'Accuracy', value: percent(quality.accuracy, 2), note: range(quality.accuracyInterval) },
    ...quality.topK.map(({ k, accuracy, interval }) => ({
      label: `Top-${k} accuracy`,
      value: percent(accuracy, 2),
      note: range(interval),
    })),
    { label: 'Balanced accuracy', value: percent(quality.balancedAccuracy, 2) },
    { label: 'Macro precision', value: percent(macro.precision, 2) },
    { label: 'Macro recall', value: percent(macro.recall, 2) },
    { label: 'Macro F1', value: percent(macro.f1, 2) },
    { label: 'Weighted precision', value: percent(weighted.precision, 2) },
    { label: 'Weighted recall', value: percent(weighted.recall, 2) },
    { label: 'Weighted F1', value: percent(weighted.f1, 2) },
    { label: 'Matthews correlation', value: decimal(quality.matthews, 4) },
    ...known('Cohen’s kappa', quality.kappa, (value) => decimal(value, 4)),
    ...known('Log loss', quality.logLoss, (value) => decimal(value, 4)),
    ...known('Brier score (0 … 2)', quality.brier, (value) => decimal(value, 4)),
    ...known('Expected calibration error', quality.expectedCalibrationError, (value) => percent(value, 2)),
    ...bounded('Macro ROC AUC', quality.macroRocAuc),
    ...bounded('Macro average precision', quality.macroAveragePrecision),
    ...known('Mean confidence, right', quality.meanConfidenceRight, (value) => percent(value, 2)),
    ...known('Mean confidence, wrong', quality.meanConfidenceWrong, (value) => percent(value, 2)),
    ...(quality.neverPredicted > 0
      ? [{ label: 'Classes never predicted', value: grouped(quality.neverPredicted) }]
      : []),
  ];
}

function known(label: string, value: number | null, show: (value: number) => string): readonly Fact[] {
  return value === null ? [] : [{ label, value: show(value) }];
}

function bounded(label: string, figure: Quality['macroRocAuc']): readonly Fact[] {
  if (figure === null) return [];
  const { value, errorBound } = figure;
  const note = `± ${errorBound < 5e-7 ? '0' : short(errorBound * 100, 1)}`;
  return [{ label, value: percent(value, 2), note }];
}

function range({ low, high }: Quality['accuracyInterval']): string {
  return `${percent(low)} … ${percent(high)}`;
}
