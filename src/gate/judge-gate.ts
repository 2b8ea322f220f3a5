import type { Metrics } from '../metric/metrics.ts';
import { grouped, plural } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import { accuracyChecks } from './accuracy-check.ts';
import { checked, type GateBounds, type GateCheck, type GateEvidence } from './gate-check.ts';
import { lossChecks } from './loss-check.ts';
import { recallChecks } from './recall-check.ts';
import { sliceChecks } from './slice-check.ts';

/** The decision of the gate, in one sentence. */
export interface Verdict {
  readonly verdict: 'passed' | 'failed' | 'none';
  readonly explanation: string;
  /** Whether there are bounds; with them `none` says that too little was judged. */
  readonly isSet: boolean;
}

/** Judges a run. A bound that cannot be checked fails; if too few records are labelled there is no verdict. */
export function judgeGate(gate: GateBounds | null, evidence: GateEvidence): Verdict {
  const bounds = gate === null ? [] : boundChecks(gate, evidence);
  if (bounds.length === 0)
    return { verdict: 'none', explanation: 'The pipeline sets no gate.', isSet: false };
  const checks = [...doubtChecks(evidence), ...bounds];
  const clauses = (verdict: GateCheck['verdict']): string =>
    checks
      .filter((check) => check.verdict === verdict)
      .map(({ says }) => says)
      .join('; ');
  const has = (verdict: GateCheck['verdict']): boolean => checks.some((check) => check.verdict === verdict);
  const left = leftOut(evidence) + sampleText(evidence);
  if (has('failed'))
    return { verdict: 'failed', explanation: `The gate failed: ${clauses('failed')}.${left}`, isSet: true };
  if (has('none'))
    return {
      verdict: 'none',
      explanation: `The gate has no verdict: ${clauses('none')}.${left}`,
      isSet: true,
    };
  return { verdict: 'passed', explanation: `The gate passed: ${clauses('passed')}.${left}`, isSet: true };
}

/** All bounds; that the records are too few is said once, of the labelled ones, which are the fewest. */
function boundChecks(gate: GateBounds, evidence: GateEvidence): GateCheck[] {
  const labelled = labelledChecks(gate, evidence);
  const isSaid = labelled.some(({ verdict }) => verdict === 'none');
  const errors = errorChecks(gate, evidence.metrics);
  return [...labelled, ...errors.filter(({ verdict }) => !isSaid || verdict !== 'none')];
}

/** Bounds on what a truth is needed for. */
function labelledChecks(gate: GateBounds, evidence: GateEvidence): GateCheck[] {
  const checks = [
    ...accuracyChecks(gate, evidence),
    ...lossChecks(gate, evidence),
    ...recallChecks(gate, evidence),
    ...sliceChecks(gate, evidence),
  ];
  if (evidence.awaitsLabels && checks.length > 0)
    return [{ verdict: 'none', says: 'the label file has not arrived' }];
  const { labelled } = evidence.metrics;
  const { minInputs = 1 } = gate;
  const hasNone = labelled === 0 && leftOut(evidence) === '';
  if (checks.length === 0 || hasNone || labelled >= minInputs) return checks;
  return [{ verdict: 'none', says: tooFew(`the labelled records are ${grouped(labelled)}`, minInputs) }];
}

/** An endpoint is asked for one input at a time, and its accuracy is not that of answers which depend on their company. */
function doubtChecks({ isDoubted = false }: GateEvidence): GateCheck[] {
  const says =
    'answers of inputs in bundles may not be those of each alone, as an endpoint gives them (rerun with transform.bundle "never")';
  return isDoubted ? [checked(false, says)] : [];
}

/** Sentence after the verdict: the inputs that the gate did not judge by; empty if there are none. */
function leftOut({ metrics, whole }: GateEvidence): string {
  const count = whole === undefined ? 0 : whole.inputs - metrics.inputs;
  if (whole === undefined || count === 0) return '';
  const accuracy =
    whole.accuracy === undefined ? '' : ` (with them accuracy is ${sharePercent(whole.accuracy)})`;
  return ` ${grouped(count)} of ${plural(whole.inputs, 'input')} were trained on or are copies of others, and do not count${accuracy}.`;
}

/** Sentence after the verdict: what stands for the drop; empty where the run has all of it. */
function sampleText({ sample }: GateEvidence): string {
  return sample === undefined || sample.early !== undefined
    ? ''
    : ` It judges a sample of ${grouped(sample.inputs)} of ${plural(sample.of, 'input')}.`;
}

function errorChecks(
  { maxErrorRate, minInputs = 1 }: GateBounds,
  { errorRate, predicted, errors }: Metrics,
): GateCheck[] {
  if (maxErrorRate === undefined) return [];
  const isWithin = errorRate <= maxErrorRate;
  const relation = isWithin ? 'within' : 'above';
  const says = `the error rate of ${sharePercent(errorRate, maxErrorRate)} is ${relation} the maximum of ${sharePercent(maxErrorRate, errorRate)}`;
  const judged = [...errors.values()].reduce((sum, times) => sum + times, predicted);
  return isWithin && judged < minInputs
    ? [{ verdict: 'none', says: tooFew(`the records are ${grouped(judged)}`, minInputs) }]
    : [checked(isWithin, says)];
}

function tooFew(what: string, minInputs: number): string {
  return `${what}, and gate.minInputs asks for ${grouped(minInputs)}`;
}
