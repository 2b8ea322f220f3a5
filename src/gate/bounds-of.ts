import { joinClusters } from '../judging/cluster-sums.ts';
import { effectiveCount } from '../judging/effective-count.ts';
import type { GateSettings } from '../pipeline/gate-settings.ts';
import { recallByClass } from '../pipeline/recall-by-class.ts';
import { toSliceName } from '../slice/slice-name.ts';
import type { Bound } from './bound.ts';
import type { Count } from './counts.ts';
import type { Evidence } from './evidence.ts';

/** Settings that decide whether a run passes. `minInputs` is 1 and `confidence` null unless they are given. */
export type GateBounds = Omit<GateSettings, 'decide'>;

/** Name of the classes that have too few records each. */
export const SMALL_CLASSES = 'small classes together';

const NOTHING: Count = { right: 0, count: 0 };

/** Bounds of a gate as one list, each with its counts. A run without a baseline has no loss to judge. */
export function boundsOf(gate: GateBounds, evidence: Evidence): Bound[] {
  const { minAccuracy, maxErrorRate, maxAccuracyDrop, minInputs = 1, confidence = null } = gate;
  const { whole, answered, baseline } = evidence;
  const isComparable = baseline !== undefined && !baseline.isDoubted;
  const change = (isComparable ? evidence.change : undefined) ?? { gained: 0, lost: 0, count: 0 };
  const common = { name: '', minInputs };
  const worth = (bound: PartBound): PartBound => ({ ...bound, count: worthOf(bound.count, confidence) });
  return [
    ...(minAccuracy === undefined
      ? []
      : [{ ...common, kind: 'accuracy' as const, floor: minAccuracy, count: whole }]),
    ...(maxAccuracyDrop === undefined || baseline?.run === null
      ? []
      : [{ ...common, kind: 'change' as const, floor: -maxAccuracyDrop, count: change }]),
    ...partBoundsOf(gate, evidence).map(worth),
    ...(maxErrorRate === undefined
      ? []
      : [{ ...common, kind: 'errors' as const, floor: 1 - maxErrorRate, count: answered }]),
  ];
}

/** Bounds of classes and slices, with the counts of their records. */
export function partBoundsOf(
  { minRecall, slices }: Pick<GateBounds, 'minRecall' | 'slices'>,
  parts: Pick<Evidence, 'classes' | 'slices'>,
): PartBound[] {
  return [
    ...(minRecall === undefined ? [] : recallBounds(minRecall, parts)),
    ...(slices === undefined ? [] : sliceBounds(slices, parts)),
  ];
}

/** A bound of a class or slice. */
export type PartBound = Bound & { readonly kind: 'recall' | 'slice'; readonly count: Count };

/** A count with the number of independent records that it's worth at a confidence. */
function worthOf(count: Count, confidence: number | null): Count {
  if (confidence === null || count.clusters === undefined) return count;
  return { ...count, effective: effectiveCount([...count.clusters.values()], confidence) };
}

function recallBounds(
  minRecall: GateBounds['minRecall'],
  { classes }: Pick<Evidence, 'classes'>,
): PartBound[] {
  const floors = Object.entries(recallByClass(minRecall)).map(
    ([name, { minRecall: floor, minInputs }]): [string, Floor] => [name, { floor, minInputs }],
  );
  const known = [...classes].filter(([, { count }]) => count > 0);
  return partBounds('recall', new Map(floors), [{ small: SMALL_CLASSES, parts: known }]);
}

function sliceBounds(
  slices: NonNullable<GateBounds['slices']>,
  evidence: Pick<Evidence, 'slices'>,
): PartBound[] {
  const floors = Object.entries(slices).map(([name, { minAccuracy: floor, minInputs }]): [string, Floor] => [
    name,
    { floor, minInputs },
  ]);
  const groups = Map.groupBy(evidence.slices, ({ name }) => name);
  return partBounds(
    'slice',
    new Map(floors),
    [...groups].map(([dimension, values]) => ({
      small: `small slices of ${dimension} together`,
      parts: values
        .filter(({ value }) => value !== undefined)
        .map(({ name, value, count }): [string, Count] => [toSliceName(name, value ?? null), count]),
      other: values.find(({ value }) => value === undefined)?.count,
    })),
  );
}

type Floor = Pick<Bound, 'floor' | 'minInputs'>;

/** Parts of the records that don't overlap. */
interface Group {
  /** Name of those with too few records. */
  readonly small: string;
  readonly parts: readonly (readonly [name: string, count: Count])[];
  /** Records of no part. */
  readonly other?: Count | undefined;
}

/**
 * Bounds of the parts that are named, and of every other one by the asterisk's. Those with too few records are judged
 * together, so that many small ones don't escape it; if these are still too few, they only count where nothing else of
 * the group does.
 */
function partBounds(
  kind: 'recall' | 'slice',
  floors: Map<string, Floor>,
  groups: readonly Group[],
): PartBound[] {
  const every = floors.get('*');
  floors.delete('*');
  const known = new Map(groups.flatMap(({ parts }) => parts));
  const named = [...floors].map(([name, floor]) => ({
    kind,
    name,
    ...floor,
    count: known.get(name) ?? NOTHING,
  }));
  if (every === undefined) return named;
  const others = groups.flatMap(({ small, parts, other = NOTHING }) => {
    const unnamed = parts.filter(([name]) => !floors.has(name));
    const large = unnamed.filter(([, { count }]) => count >= every.minInputs);
    const rest = sumOf([
      other,
      ...unnamed.map(([, count]) => count).filter(({ count }) => count < every.minInputs),
    ]);
    const isJudged = large.length > 0 || unnamed.length < parts.length;
    const isLeft = rest.count < every.minInputs && (rest.count === 0 || isJudged);
    return isLeft ? large : [...large, [small, rest] as const];
  });
  return [...named, ...others.map(([name, count]) => ({ kind, name, ...every, count }))];
}

function sumOf(counts: readonly Count[]): Count {
  const sum = (of: (count: Count) => number): number => counts.reduce((total, each) => total + of(each), 0);
  // A cluster may lie in several of them, so that they are worth less together than one by one.
  const clusters = counts.flatMap((count) => (count.clusters === undefined ? [] : [count.clusters]));
  return {
    right: sum(({ right }) => right),
    count: sum(({ count }) => count),
    ...(clusters.length > 0 && { clusters: joinClusters(clusters) }),
  };
}
