import { inverseIncompleteBeta } from '../metric/incomplete-beta.ts';
import type { RightOf } from './right-of.ts';

/** Weighed clusters, n² / Σm², below which their variance says too little: each is then worth one record. */
const LEAST_CLUSTERS = 30;

/**
 * Independent records that say as much about the share of right answers as clustered ones do; at most their number: the
 * count divided by the design effect of the variance between clusters, times the square of the ratio of Student's
 * quantiles (Korn, Graubard 1998, Survey Methodology 24:193). The degrees of freedom are (Σr²)² / Σr⁴ of the residuals
 * r (Satterthwaite 1946): with the number of clusters less one, what is "proven" at 95% would be untrue in up to 21%.
 * Each cluster is one record if they are few, or if all answers are right, or none.
 */
export function effectiveCount(clusters: readonly RightOf[], confidence: number): number {
  const right = sum(clusters, (each) => each.right);
  const residuals = (share: number) => (each: RightOf) => each.right - share * each.count;
  const count = sum(clusters, (each) => each.count);
  const share = right / count;
  return effective(clusters, residuals(share), { single: share * (1 - share), confidence });
}

/** A cluster of records that two runs have answered. */
export interface ChangedCluster {
  /** Records right only now less those right only before. */
  readonly change: number;
  readonly count: number;
}

/** The same for a change of accuracy. @param changed records that only one of the runs got right */
export function effectiveChange(
  clusters: readonly ChangedCluster[],
  changed: number,
  confidence: number,
): number {
  const count = sum(clusters, (each) => each.count);
  const change = sum(clusters, (each) => each.change) / count;
  const single = changed / count - change * change;
  return effective(clusters, (each) => each.change - change * each.count, { single, confidence });
}

/** Clusters weighed by their records, n² / Σm²: what records are worth if all of a cluster are alike. */
export function weighedClusters(clusters: readonly { readonly count: number }[]): number {
  const count = sum(clusters, (each) => each.count);
  return count === 0 ? 0 : (count * count) / sum(clusters, (each) => each.count ** 2);
}

/** @param single variance of a single record */
function effective<Cluster extends { readonly count: number }>(
  clusters: readonly Cluster[],
  residualOf: (cluster: Cluster) => number,
  { single, confidence }: { readonly single: number; readonly confidence: number },
): number {
  const count = sum(clusters, (each) => each.count);
  if (count === 0) return 0;
  const weighed = weighedClusters(clusters);
  const spread = sum(clusters, (each) => residualOf(each) ** 2);
  if (single <= 0 || spread === 0 || weighed < LEAST_CLUSTERS) return Math.min(count, weighed);
  const between = ((clusters.length / (clusters.length - 1)) * spread) / count;
  const fourth = sum(clusters, (each) => residualOf(each) ** 4);
  const freedom = Math.max(1, Math.min(clusters.length - 1, spread ** 2 / fourth));
  const widening =
    confidence > 0.5
      ? (studentQuantile(confidence, count - 1) / studentQuantile(confidence, freedom)) ** 2
      : 1;
  const alike = (count * single) / between;
  // However few degrees of freedom there are, a cluster is worth a record, unless records differ more between clusters than that.
  return Math.min(count, Math.max(alike * widening, Math.min(weighed, alike)));
}

/** One-sided quantile of Student's t, 0.5 … 1. */
function studentQuantile(probability: number, freedom: number): number {
  const x = inverseIncompleteBeta(2 * (1 - probability), freedom / 2, 0.5);
  return Math.sqrt((freedom * (1 - x)) / x);
}

function sum<Cluster>(clusters: readonly Cluster[], of: (cluster: Cluster) => number): number {
  return clusters.reduce((total, each) => total + of(each), 0);
}
