import { grouped, plural, signedPercent } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import { NAMED, points } from './bound-text.ts';
import type { EarlyBound, EarlyEvidence } from './early-evidence.ts';
import type { Evidence } from './evidence.ts';

/** Verdict of a run that was decided by a part of its drop. A bound that can't be proven any more fails it if its floor itself is missed. */
export function earlyVerdict({ verdict, bounds }: EarlyEvidence): 'passed' | 'failed' | 'none' {
  if (verdict !== 'failed') return verdict ?? 'none';
  return bounds.some((bound) => bound.verdict === 'failed' && bound.bounds.high < bound.floor)
    ? 'failed'
    : 'none';
}

/** Sentence that tells, after the verdict, what the rounds prove of each bound that decides. */
export function earlyText(
  { confidence, verdict, bounds, stopped }: EarlyEvidence,
  { inputs, of }: Pick<NonNullable<Evidence['sample']>, 'inputs' | 'of'>,
  baseline: string,
): string {
  const told = bounds.filter((bound) => bound.verdict === verdict);
  const isPart = ({ kind }: EarlyBound): boolean => kind === 'recall' || kind === 'slice';
  const parts = told.filter(isPart).toSorted((a, b) => roomOf(a) - roomOf(b));
  const more = parts.length > NAMED ? [`${grouped(parts.length - NAMED)} more classes and slices too`] : [];
  const named = [...told.filter((bound) => !isPart(bound)), ...parts.slice(0, NAMED)];
  const clauses = [
    ...named.map((bound) => boundText(bound, `(${sharePercent(confidence)} confidence)`, baseline)),
    ...more,
  ];
  const why = verdict === undefined && stopped !== null ? [stopped] : [];
  return `after ${grouped(inputs)} of ${plural(of, 'input')}: ${[...clauses, ...why].join('; ')}`;
}

/** Distance of the end that decides from what is needed. */
function roomOf({ verdict, needed, bounds: { low, high } }: EarlyBound): number {
  return verdict === 'passed' ? low - needed : high - needed;
}

function boundText(
  { kind, name, floor, needed, bounds: { low, high }, verdict }: EarlyBound,
  confidence: string,
  baseline: string,
): string {
  const show = (figure: number): string =>
    kind === 'change' ? signedPercent(figure) : sharePercent(figure, needed);
  const ends =
    verdict === 'passed'
      ? `at least ${show(low)}`
      : verdict === 'failed'
        ? `at most ${show(high)}`
        : `between ${show(low)} and ${show(high)}`;
  if (kind === 'change')
    return `accuracy changed by ${ends} points against ${baseline} ${confidence}; a loss of ${points(-floor)} is allowed`;
  const [has, bound] =
    kind === 'errors'
      ? ['have an answer', `the maximum of ${sharePercent(1 - floor)} errors`]
      : ['are right', `the minimum of ${sharePercent(floor, needed)}`];
  const all = name === '' ? 'all' : `all of ${name}`;
  if (needed > 1 && verdict === 'failed')
    return `${ends} of ${all} ${has} ${confidence}; its labeled inputs are too few to prove ${bound}`;
  return `${ends} of ${all} ${has} ${confidence}; ${sharePercent(needed, floor)} ${verdict === 'failed' ? 'would be' : 'are'} needed to prove ${bound}`;
}
