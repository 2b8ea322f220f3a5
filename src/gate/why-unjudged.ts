import { grouped, plural } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import type { GateBounds } from './bounds-of.ts';
import type { Evidence } from './evidence.ts';

/** Why no bound that needs labels can be judged; undefined if each can. */
export function whyUnjudged(gate: GateBounds, evidence: Evidence): string | undefined {
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
export function tooFewLabeled(
  { minLabeled = null }: GateBounds,
  { noun, labeled: { labeled, distinct } }: Evidence,
): string | undefined {
  if (minLabeled === null || labeled >= minLabeled * distinct) return undefined;
  return `${grouped(labeled)} of ${plural(distinct, noun)} ${labeled === 1 ? 'has' : 'have'} a label, and gate.minLabeled asks for ${sharePercent(minLabeled)}`;
}

/** Sentence on lost files with an unknown number of records; undefined if there are none. */
export function uncountedText({ uncounted }: Evidence): string | undefined {
  if (uncounted === 0) return undefined;
  return (
    `the records of ${plural(uncounted, 'lost file')} aren’t counted, since only their answers would show how many they ` +
    'are (errors.csv)'
  );
}
