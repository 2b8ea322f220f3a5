import { grouped, plural, signedPercent } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import type { Bound } from './bound.ts';
import type { Evidence } from './evidence.ts';
import type { JudgedBound } from './proof.ts';

/** Cap on the classes and slices that a sentence names; the others are counted. */
export const NAMED = 3;

const PARTS = {
  recall: { figure: 'recall', one: 'class', many: 'classes' },
  slice: { figure: 'accuracy', one: 'slice', many: 'slices' },
} as const;

/** A sentence's facts besides the bounds themselves. */
interface Telling extends Pick<Evidence, 'noun' | 'labeled' | 'baseline'> {
  readonly isProof: boolean;
}

/** Clauses of a verdict's sentence: one for each bound of this outcome, and one for all classes or slices together. */
export function boundTexts(
  judged: readonly JudgedBound[],
  outcome: JudgedBound['outcome'],
  telling: Telling,
): string[] {
  return (['accuracy', 'change', 'recall', 'slice', 'errors'] as const).flatMap((kind) => {
    const all = judged.filter(({ bound }) => bound.kind === kind);
    const told = all.filter((each) => each.outcome === outcome);
    if (told.length === 0) return [];
    if (kind === 'recall' || kind === 'slice') return [partsText(kind, { all, told, outcome }, telling)];
    return told.map((each) => wholeText(each, telling));
  });
}

/** Sentences on what it takes to prove the open bounds of a whole. */
export function neededTexts(judged: readonly JudgedBound[], noun: string): string[] {
  return judged.flatMap(({ bound: { kind }, needed }) => {
    if (needed === undefined || kind === 'recall' || kind === 'slice') return [];
    const figure = { accuracy: 'accuracy', change: 'change', errors: 'error rate' }[kind];
    return [`At this ${figure} about ${plural(needed, noun)} would prove it.`];
  });
}

function wholeText(judged: JudgedBound, telling: Telling): string {
  const { bound } = judged;
  if (bound.kind === 'change') return changeText(judged, bound.count, telling);
  if (judged.isFew && judged.outcome === 'open')
    return `the run has ${plural(bound.count.count, telling.noun)}, and gate.minInputs asks for ${grouped(bound.minInputs)}`;
  return bound.kind === 'errors' ? errorsText(judged, bound, telling) : accuracyText(judged, bound, telling);
}

type ShareBound = Exclude<Bound, { kind: 'change' }>;

function accuracyText(
  { outcome, figure = 0, low }: JudgedBound,
  { floor, count: { right, count, share } }: ShareBound,
  { noun, labeled, isProof }: Telling,
): string {
  const isAll = labeled.labeled === labeled.distinct;
  const counted = plural(count, isAll ? noun : `labeled ${noun}`);
  const shown = sharePercent(figure, floor);
  const known =
    share === undefined
      ? `${grouped(right)} of ${counted} are right`
      : `${grouped(right)} of ${counted} are right, ${shown} with each class weighed by its size`;
  const withShare = share === undefined ? `${known} (${shown})` : known;
  const minimum = (of: number): string => `the minimum of ${sharePercent(floor, of)}`;
  const proves = `which proves ${outcome === 'open' ? '' : 'an accuracy of '}at least ${sharePercent(low, floor)}${isAll ? '' : ` of the labeled ones`}`;
  if (outcome === 'proven')
    return isProof
      ? `${known}, ${proves}; the minimum is ${sharePercent(floor, low)}`
      : `${withShare}; the minimum is ${sharePercent(floor, figure)}`;
  if (outcome === 'refuted')
    return `${withShare}, ${isProof ? 'which is surely below' : 'below'} ${minimum(figure)}`;
  return figure >= floor
    ? `${withShare}, ${proves}, short of ${minimum(low)}`
    : `${withShare}, below ${minimum(figure)}, though ${plural(count, noun)} can't rule it out`;
}

function errorsText(
  { outcome, figure = 0, low }: JudgedBound,
  { floor, count: { right, count } }: ShareBound,
  { noun, isProof }: Telling,
): string {
  const [most, rate, high] = [1 - floor, 1 - figure, 1 - low];
  const known =
    right === count
      ? `all ${plural(count, noun)} have an answer`
      : `${grouped(count - right)} of ${plural(count, noun)} ${count - right === 1 ? 'has' : 'have'} no answer`;
  const withShare = right === count ? known : `${known} (${sharePercent(rate, most)})`;
  if (outcome === 'refuted')
    return `${withShare}, ${isProof ? 'surely ' : ''}above the maximum of ${sharePercent(most, rate)}`;
  const said = !isProof
    ? withShare
    : `${known}, which ${outcome === 'proven' ? 'proves an error rate of at most' : 'could be an error rate of up to'} ${sharePercent(high, most)}`;
  return `${said}; the maximum is ${sharePercent(most, isProof ? high : rate)}`;
}

function changeText(
  { bound: { floor, minInputs }, outcome, isFew, figure, low }: JudgedBound,
  { count }: { readonly count: number },
  { noun, baseline, isProof }: Telling,
): string {
  if (figure === undefined || baseline === undefined || baseline.isDoubted) {
    const why =
      baseline === undefined
        ? 'there is no baseline run'
        : baseline.isDoubted
          ? `answers of ${baseline.run ?? ''} may not be those of each input alone`
          : `${baseline.run ?? ''} shares no ${noun} with a label and both answers`;
    return `accuracy must be compared with the baseline’s and cannot be: ${why}`;
  }
  if (isFew && outcome === 'open')
    return `accuracy must be compared on at least ${plural(minInputs, noun)} (gate.minInputs), and ${baseline.run ?? ''} shares ${grouped(count)}`;
  const allowed = points(-floor);
  const known = `accuracy changed by ${signedPercent(figure)} points against ${baseline.run ?? ''} on ${plural(count, noun)}`;
  if (outcome === 'refuted')
    return `${known}, ${isProof ? 'surely ' : ''}more than the loss of ${allowed} that is allowed`;
  if (!isProof) return `${known}; a loss of ${allowed} is allowed`;
  const lost = sharePercent(Math.max(0, -low), -floor).slice(0, -1);
  if (outcome === 'open') return `${known}, which could be a loss of up to ${lost}; ${allowed} is allowed`;
  return low >= 0
    ? `${known} and is proven not to have fallen`
    : `${known} and is proven to have lost no more than ${lost}; ${allowed} is allowed`;
}

/** A share in points: `1 point`, `0.5 points`. */
export function points(share: number): string {
  const shown = sharePercent(share).slice(0, -1);
  return `${shown} point${shown === '1' ? '' : 's'}`;
}

/** One clause for all classes, or all slices, which names those that are farthest from their floor. */
function partsText(
  kind: keyof typeof PARTS,
  {
    all,
    told,
    outcome,
  }: Record<'all' | 'told', readonly JudgedBound[]> & { readonly outcome: JudgedBound['outcome'] },
  { noun, isProof }: Telling,
): string {
  const { figure, one, many } = PARTS[kind];
  const counted = (count: number): string => `${grouped(count)} ${count === 1 ? one : many}`;
  if (outcome === 'proven')
    return isProof
      ? `${figure} is proven in ${counted(all.length)}`
      : `${figure} reaches its minimum in ${counted(all.length)}`;
  const named = told
    .toSorted((a, b) => a.low - a.bound.floor - (b.low - b.bound.floor))
    .slice(0, NAMED)
    .map((each) => partText(each, noun, isProof));
  const more = told.length > named.length ? ` and ${counted(told.length - named.length)} more` : '';
  const list = `${named.join(', ')}${more}`;
  if (outcome === 'refuted') return `${figure} is ${isProof ? 'surely ' : ''}too low in ${list}`;
  const held = all.filter((each) => each.outcome === 'proven').length;
  return `${figure} is ${isProof ? 'proven' : 'judged'} in ${grouped(held)} of ${counted(all.length)}; not in ${list}`;
}

function partText(
  { bound, outcome, figure = 0, low, isFew }: JudgedBound,
  noun: string,
  isProof: boolean,
): string {
  const { name, floor, minInputs, count } = bound;
  const right = 'right' in count ? count.right : 0;
  if (isFew) return `${name} (${plural(count.count, `labeled ${noun}`)} of the ${minInputs} that it needs)`;
  const of = `${grouped(right)} of ${grouped(count.count)}`;
  const isOpen = outcome === 'open' && isProof;
  const known = isOpen
    ? `${of} prove ${sharePercent(low, floor)}`
    : `${of} right, ${sharePercent(figure, floor)}`;
  return `${name} (${known}, minimum ${sharePercent(floor, isOpen ? low : figure)})`;
}
