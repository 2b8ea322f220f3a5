import { grouped, plural } from '../text/figures.ts';
import type { GateBounds } from './bounds-of.ts';
import type { Evidence } from './evidence.ts';

/** Why no bound that needs labels can be judged; undefined if each can. */
export function whyUnjudged(
  { minInputs = 1 }: GateBounds,
  { noun, whole, answered, awaitsLabels = false }: Evidence,
): string | undefined {
  if (answered.count === 0) return 'the run has no inputs';
  if (answered.right === 0) return `none of the ${plural(answered.count, noun)} has a usable prediction`;
  if (awaitsLabels) return 'the label file has not arrived';
  if (whole.count === 0) return `none of the ${plural(answered.count, noun)} has a label (labels.truth)`;
  if (whole.count >= minInputs) return undefined;
  return `${plural(whole.count, `labelled ${noun}`)} can't decide, since gate.minInputs asks for ${grouped(minInputs)}`;
}
