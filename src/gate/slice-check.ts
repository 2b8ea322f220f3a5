import type { RightOf } from '../judging/right-of.ts';
import { drawnLowerBound } from '../metric/wilson-interval.ts';
import { toSliceName } from '../slice/slice-name.ts';
import { grouped, plural } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import { checked, type GateBounds, type GateCheck, type GateEvidence } from './gate-check.ts';
import { whyUnjudged } from './why-unjudged.ts';

/** Cap on the slices that a sentence names; the others are counted. */
const NAMED = 3;

type Bound = NonNullable<GateBounds['slices']>[string];

/** A part of the records with the bound that it must reach. */
interface BoundSlice extends RightOf {
  readonly says: string;
  readonly bound: Bound;
}

/**
 * Whether each slice with a bound reaches it; with `confidence`, whether what its records prove at that confidence does. All slices are
 * proven together where each is at the same level (the intersection–union test: Berger 1982, Technometrics 24:295), so no correction is
 * made for their number. A named one with too few labelled records, or none, gives no verdict. The asterisk stands for each other slice of
 * every dimension; those with too few are judged together, so that many small slices do not escape it.
 */
export function sliceChecks(
  { slices: bounds, confidence = null }: GateBounds,
  { slices = [], metrics, sample }: GateEvidence,
): GateCheck[] {
  if (bounds === undefined) return [];
  if (metrics.labelled === 0)
    return [checked(false, `slices have a minimum and cannot be judged: ${whyUnjudged(metrics)}`)];
  const known = new Map(slices.flatMap(slicesOf));
  const { '*': every, ...named } = bounds;
  const all = [
    ...Object.entries(named).map(([name, bound]) => ({
      ...(known.get(name) ?? { right: 0, count: 0 }),
      ...{ says: name, bound },
    })),
    ...(every === undefined ? [] : slices.flatMap((dimension) => everyOther(dimension, every, named))),
  ];
  const unjudged = all.filter(({ count, bound }) => count < bound.minInputs);
  const judged = all.filter(({ count, bound }) => count >= bound.minInputs);
  const low = judged.filter(({ right, count, bound }) => right / count < bound.minAccuracy);
  const fraction = sample === undefined ? 0 : sample.inputs / sample.of;
  const unproven =
    confidence === null
      ? []
      : judged
          .filter((slice) => !low.includes(slice))
          .map((slice) => ({
            ...slice,
            proven: drawnLowerBound(slice.right, slice.count, { fraction, confidence }) ?? 0,
          }))
          .filter(({ proven, bound }) => proven < bound.minAccuracy);
  const checks = [
    ...missedChecks(low),
    ...unprovenChecks(unproven, confidence ?? 0),
    ...unjudgedChecks(unjudged),
  ];
  return checks.length > 0
    ? checks
    : [
        checked(
          true,
          `accuracy of ${plural(judged.length, 'slice')} reaches its minimum${atConfidence(confidence)}`,
        ),
      ];
}

type Dimension = NonNullable<GateEvidence['slices']>[number];

function slicesOf({ name, values, none }: Dimension): [string, RightOf][] {
  return [
    ...values.map(([value, right, count]): [string, RightOf] => [toSliceName(name, value), { right, count }]),
    [toSliceName(name, null), none],
  ];
}

/** Slices of a dimension that the asterisk stands for. */
function everyOther(
  dimension: Dimension,
  bound: Bound,
  named: Readonly<Record<string, Bound>>,
): BoundSlice[] {
  const others = slicesOf(dimension).filter(([name]) => !Object.hasOwn(named, name));
  const large = others.filter(([, { count }]) => count >= bound.minInputs);
  let { right, count } = dimension.other;
  for (const [, slice] of others) {
    if (slice.count >= bound.minInputs) continue;
    right += slice.right;
    count += slice.count;
  }
  const slices = large.map(([says, slice]) => ({ ...slice, says, bound }));
  const isJudged = slices.length > 0 || slicesOf(dimension).length > others.length;
  // The few records that are left do not keep the gate from a verdict, unless nothing else of the dimension is judged.
  return count < bound.minInputs && (count === 0 || isJudged)
    ? slices
    : [...slices, { right, count, says: `${dimension.name} (its small slices together)`, bound }];
}

function missedChecks(missed: readonly BoundSlice[]): GateCheck[] {
  if (missed.length === 0) return [];
  const gap = ({ right, count, bound }: BoundSlice): number => right / count - bound.minAccuracy;
  const named = missed
    .toSorted((a, b) => gap(a) - gap(b))
    .slice(0, NAMED)
    .map(({ says, right, count, bound: { minAccuracy } }) => {
      const share = right / count;
      return `${says} ${sharePercent(share, minAccuracy)} of ${grouped(count)} (minimum ${sharePercent(minAccuracy, share)})`;
    });
  return [
    checked(false, `accuracy is too low: ${named.join(', ')}${moreSlices(missed.length - named.length)}`),
  ];
}

/** Slices that reach their minimum by too few records to prove it. */
function unprovenChecks(
  unproven: readonly (BoundSlice & { readonly proven: number })[],
  confidence: number,
): GateCheck[] {
  if (unproven.length === 0) return [];
  const named = unproven
    .toSorted((a, b) => a.proven - a.bound.minAccuracy - (b.proven - b.bound.minAccuracy))
    .slice(0, NAMED)
    .map(
      ({ says, right, count, proven, bound: { minAccuracy } }) =>
        `${says} ${sharePercent(right / count)} of ${grouped(count)} proves at least ${sharePercent(proven, minAccuracy)} (minimum ${sharePercent(minAccuracy, proven)})`,
    );
  const more = moreSlices(unproven.length - named.length);
  return [
    checked(
      false,
      `accuracy is not proven${atConfidence(confidence)}: ${named.join(', ')}${more}; more labelled records would prove more`,
    ),
  ];
}

function atConfidence(confidence: number | null): string {
  return confidence === null ? '' : ` at ${sharePercent(confidence)} confidence`;
}

function moreSlices(more: number): string {
  return more > 0 ? ` and of ${grouped(more)} more ${more === 1 ? 'slice' : 'slices'}` : '';
}

function unjudgedChecks(unjudged: readonly BoundSlice[]): GateCheck[] {
  if (unjudged.length === 0) return [];
  const named = unjudged
    .slice(0, NAMED)
    .map(
      ({ says, count, bound }) =>
        `${says} has ${plural(count, 'labelled record')} of the ${bound.minInputs} that it needs`,
    );
  const more = unjudged.length - named.length;
  const rest = more > 0 ? `, and ${grouped(more)} more have too few` : '';
  return [{ verdict: 'none', says: `gate.slices cannot be judged: ${named.join(', ')}${rest}` }];
}
