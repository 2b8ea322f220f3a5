import { grouped, plural } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import { boundTexts, neededTexts } from './bound-text.ts';
import { boundsOf, type GateBounds } from './bounds-of.ts';
import type { EarlyEvidence } from './early-evidence.ts';
import { earlyText, earlyVerdict } from './early-text.ts';
import type { Evidence } from './evidence.ts';
import { type JudgedBound, outcomeOf, prove } from './proof.ts';

/** The decision of the gate, in one sentence. */
export interface Verdict {
  readonly verdict: 'passed' | 'failed' | 'none';
  readonly explanation: string;
  /** Whether there are bounds; with them `none` says that nothing is proven, nor refuted. */
  readonly isSet: boolean;
}

const SAYS = {
  passed: 'The gate passed',
  failed: 'The gate failed',
  none: 'The gate has no verdict',
} as const;
const OUTCOMES = { passed: 'proven', failed: 'refuted', none: 'open' } as const;

/** An endpoint gets one input at a time, and its accuracy isn't the accuracy of answers that depend on their company. */
const DOUBTED =
  'answers of inputs in bundles may differ from each input\'s own, as an endpoint gives them (rerun with transform.bundle "never")';

/** Judges a run: it passes if every bound is proven, fails if one is refuted, and else has no verdict. */
export function judgeGate(gate: GateBounds | null, evidence: Evidence): Verdict {
  const { minAccuracy, maxErrorRate, maxAccuracyDrop, minRecall, slices } = gate ?? {};
  const needsLabels = [minAccuracy, maxAccuracyDrop, minRecall, slices].some((bound) => bound !== undefined);
  if (gate === null || (!needsLabels && maxErrorRate === undefined))
    return { verdict: 'none', explanation: 'The pipeline sets no gate.', isSet: false };
  if (evidence.sample?.early !== undefined)
    return earlyGate(
      { ...evidence, unlabeled: tooFewLabeled(gate, evidence) },
      evidence.sample,
      evidence.sample.early,
    );
  const uncounted = uncountedText(evidence);
  const unjudged = uncounted ?? (needsLabels ? whyUnjudged(gate, evidence) : undefined);
  const bounds = boundsOf(gate, evidence).filter(
    ({ kind }) => unjudged === undefined || (kind === 'errors' && uncounted === undefined),
  );
  const judged = prove(bounds, gate.confidence ?? null);
  const found = verdictOf(judged, unjudged, evidence);
  const telling = { ...evidence, isProof: (gate.confidence ?? null) !== null };
  const clauses = [
    ...(found === 'failed' && evidence.isDoubted === true ? [DOUBTED] : []),
    ...(found === 'none' && unjudged !== undefined ? [unjudged] : []),
    ...(found === 'passed' && evidence.baseline?.run === null && maxAccuracyDrop !== undefined
      ? ['no run of the pipeline has passed before it to compare with']
      : []),
    ...boundTexts(judged, OUTCOMES[found], telling),
  ];
  const sentences = [
    `${SAYS[found]}: ${clauses.join('; ')}.`,
    ...(found === 'none' ? neededTexts(judged, evidence.noun) : []),
    ...setAsideText(evidence),
    ...sampleText(evidence),
  ];
  return { verdict: found, explanation: sentences.join(' '), isSet: true };
}

/** Verdict on a drop with some predicted rounds. */
function earlyGate(
  evidence: Evidence & { readonly unlabeled: string | undefined },
  sample: NonNullable<Evidence['sample']>,
  early: EarlyEvidence,
): Verdict {
  const isDoubted = evidence.isDoubted === true;
  const verdict = isDoubted ? 'failed' : earlyVerdict(early);
  if (verdict === 'passed' && evidence.unlabeled !== undefined)
    return { verdict: 'none', explanation: `${SAYS.none}: ${evidence.unlabeled}.`, isSet: true };
  const says = isDoubted ? `: ${DOUBTED}` : ` ${earlyText(early, sample, evidence.baseline?.run ?? '')}`;
  return { verdict, explanation: `${SAYS[verdict]}${says}.`, isSet: true };
}

function verdictOf(
  judged: readonly JudgedBound[],
  unjudged: string | undefined,
  { isDoubted = false }: Evidence,
): Verdict['verdict'] {
  const found = isDoubted ? 'failed' : outcomeOf(judged);
  return found === 'passed' && unjudged !== undefined ? 'none' : found;
}

/** Sentence on the inputs that the gate did not judge by. */
function setAsideText({ setAside }: Evidence): string[] {
  if (setAside === undefined) return [];
  const { count, of, accuracy } = setAside;
  const known = accuracy === undefined ? '' : ` (with them accuracy is ${sharePercent(accuracy)})`;
  return [
    `${grouped(count)} of ${plural(of, 'input')} were trained on or are copies of others, and do not count${known}.`,
  ];
}

/** Sentence on the part that represents the drop, if the run doesn't have all of it. */
function sampleText({ sample }: Evidence): string[] {
  if (sample === undefined) return [];
  return [`It judges a sample of ${grouped(sample.inputs)} of ${plural(sample.of, 'input')}.`];
}

/** Why no bound that needs labels can be judged; undefined if each can. */
function whyUnjudged(gate: GateBounds, evidence: Evidence): string | undefined {
  const { minInputs = 1 } = gate;
  const { noun, whole, answered, awaitsLabels = false } = evidence;
  if (answered.count === 0) return 'the run has no inputs';
  if (answered.right === 0) return `none of the ${plural(answered.count, noun)} has a usable prediction`;
  if (awaitsLabels) return 'the label file has not arrived';
  if (whole.count === 0) return `none of the ${plural(answered.count, noun)} has a label (labels.truth)`;
  const unlabeled = tooFewLabeled(gate, evidence);
  if (unlabeled !== undefined || whole.count >= minInputs) return unlabeled;
  return `${plural(whole.count, `labeled ${noun}`)} can't decide, since gate.minInputs asks for ${grouped(minInputs)}`;
}

/** Sentence on labels that are fewer than the gate asks for; undefined if they suffice. */
function tooFewLabeled(
  { minLabeled = null }: GateBounds,
  { noun, labeled: { labeled, distinct } }: Evidence,
): string | undefined {
  if (minLabeled === null || labeled >= minLabeled * distinct) return undefined;
  const have = labeled === 1 ? 'has' : 'have';
  return `${grouped(labeled)} of ${plural(distinct, noun)} ${have} a label, and gate.minLabeled asks for ${sharePercent(minLabeled)}`;
}

/** Sentence on lost files with an unknown number of records; undefined if there are none. */
function uncountedText({ uncounted }: Evidence): string | undefined {
  if (uncounted === 0) return undefined;
  return (
    `the records of ${plural(uncounted, 'lost file')} aren’t counted, since only their answers would show how many they ` +
    'are (errors.csv)'
  );
}
