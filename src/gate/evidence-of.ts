import { ClusterSums } from '../judging/cluster-sums.ts';
import { effectiveChange, effectiveCount } from '../judging/effective-count.ts';
import type { Ledger } from '../judging/ledger.ts';
import type { RightOf } from '../judging/right-of.ts';
import { type Stratum, weighedShare } from '../judging/sampled-share.ts';
import type { Comparison } from '../metric/comparison.ts';
import type { Metrics } from '../metric/metrics.ts';
import type { PairTally } from '../metric/pair-tally.ts';
import { FIRST_VALUE, NONE, OTHER, type StoredSlices } from '../slice/slice-tally.ts';
import type { Change, Count, SliceCount } from './counts.ts';
import type { Evidence } from './evidence.ts';

/** The figures of a run that its gate judges. */
interface RunFigures {
  readonly ledger: Ledger;
  /** The figures of all inputs, copies and those that were trained on included. */
  readonly metrics: Pick<Metrics, 'inputs' | 'accuracy'>;
  readonly awaitsLabels?: boolean;
  /** Class names by id. */
  readonly classes: readonly string[];
  /** Undefined if there is no baseline. */
  readonly comparison?:
    | { readonly pairs: PairTally; readonly result: Pick<Comparison, 'cells'>; readonly isDoubted?: boolean }
    | undefined;
  /** Whether "last-passed" found no run yet. */
  readonly first: boolean;
  /** The sample that stands for a drop, and its labeled records by stratum. */
  readonly sample?: (NonNullable<Evidence['sample']> & { readonly strata: readonly Stratum[] }) | undefined;
  /** Tallies of the dimensions of `report.slices`, of the inputs that count. */
  readonly slices?: readonly (StoredSlices[number] & { readonly name: string })[] | undefined;
  readonly isDoubted?: boolean;
  /** Whether records come in groups; `confidence` is for their worth. */
  readonly clustered?: { readonly confidence: number } | undefined;
}

/** Evidence that the figures of a run give its gate. A labeled record without an answer is wrong. */
export function evidenceOf(figures: RunFigures): Evidence {
  const { ledger, metrics, classes, comparison, first, sample, slices = [], clustered } = figures;
  const { asked, distinct, labeled, answered, right, totals } = ledger;
  const weighed = sample && sample.strata.length > 1 ? weighedShare(sample.strata) : undefined;
  const worth = (sums: readonly RightOf[] | undefined): { readonly effective?: number } =>
    clustered === undefined || sums === undefined
      ? {}
      : { effective: effectiveCount(sums, clustered.confidence) };
  const leftOut = totals.setAside + totals.copies;
  return {
    noun: asked + totals.setAside > metrics.inputs ? 'record' : 'input',
    whole: { right, count: labeled, ...weighed, ...fewest(weighed, worth(ledger.clusters.whole())) },
    classes: new Map(
      ledger
        .classes()
        .map(({ id, ...sums }): [string, Count] => [
          classes[id] ?? '',
          { ...sums, clusters: ledger.clusters.part(id) },
        ]),
    ),
    slices: slices.flatMap(sliceCounts),
    answered: { right: answered + totals.answered, count: distinct },
    change: comparison && changeOf(comparison, clustered?.confidence),
    labeled: { labeled, distinct },
    uncounted: totals.uncounted,
    awaitsLabels: figures.awaitsLabels ?? false,
    baseline: first
      ? { run: null, isDoubted: false }
      : comparison && { run: comparison.pairs.baseline, isDoubted: comparison.isDoubted ?? false },
    isDoubted: figures.isDoubted ?? false,
    setAside:
      leftOut === 0 ? undefined : { count: leftOut, of: asked + totals.setAside, accuracy: metrics.accuracy },
    sample,
  };
}

/** Right answers of the slices of a dimension; a record without an answer is wrong. */
function sliceCounts({
  name,
  values,
  none,
  other,
  clusters,
}: NonNullable<RunFigures['slices']>[number]): SliceCount[] {
  const sums = new ClusterSums();
  if (clusters !== undefined) sums.merge(clusters, (part) => part);
  const countOf = (part: number, { right, count, missed }: typeof none): Count => ({
    right,
    count: count + missed,
    clusters: sums.part(part),
  });
  return [
    { name, value: null, count: countOf(NONE, none) },
    { name, value: undefined, count: countOf(OTHER, other) },
    ...values.map(([value, right, count, missed], at) => ({
      name,
      value,
      count: countOf(FIRST_VALUE + at, { right, count, missed }),
    })),
  ];
}

/** The smaller one of two effective counts. */
function fewest(...counts: readonly ({ readonly effective?: number | undefined } | undefined)[]): {
  readonly effective?: number;
} {
  const known = counts.flatMap((count) => (count?.effective === undefined ? [] : [count.effective]));
  return known.length === 0 ? {} : { effective: Math.min(...known) };
}

/** Labeled records of both runs; one that only one of them has answered was wrong in the other. */
function changeOf(
  { pairs, result: { cells } }: NonNullable<RunFigures['comparison']>,
  confidence: number | undefined,
): Change {
  const { unanswered, clusters } = pairs;
  const gained = cells.gained + unanswered.gained;
  const lost = cells.lost + unanswered.lost;
  const count = cells.bothRight + cells.gained + cells.lost + cells.bothWrong + unanswered.count;
  if (confidence === undefined) return { gained, lost, count };
  const sums = [...clusters.count].map(([cluster, records]) => ({
    change: (clusters.gained.get(cluster) ?? 0) - (clusters.lost.get(cluster) ?? 0),
    count: records,
  }));
  return { gained, lost, count, effective: effectiveChange(sums, gained + lost, confidence) };
}
