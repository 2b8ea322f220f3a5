import { sumOf } from './exact-sum.ts';
import type { Tally } from './tally.ts';

/** A figure from a histogram, and its greatest distance from the exact one. */
interface Bounded {
  readonly value: number;
  readonly errorBound: number;
}

/** One class against all others, over every threshold. */
interface RankingQuality {
  readonly id: number;
  readonly rocAuc: Bounded;
  readonly averagePrecision: Bounded;
}

/** Curves of the classes that have both records of their own and records of others. */
export interface RankingCurves {
  readonly classes: readonly RankingQuality[];
  readonly macroRocAuc: Bounded;
  readonly macroAveragePrecision: Bounded;
}

/**
 * One-vs-rest ROC AUC and average precision: from the scores themselves if the run kept them, else from score histograms. Scores of one bin
 * count as ties; the bound is the greatest change that their true order could make. Undefined if no class has both kinds of records.
 */
export function rankingCurves(tally: Tally): RankingCurves | undefined {
  const { trueScores, classes, classOffset } = tally;
  const { bins, counts } = tally.allScores;
  if (tally.distributions === 0) return undefined;
  const found: RankingQuality[] = [];
  const own = new Uint32Array(bins.length);
  const ownBins = binsByScore(trueScores, bins.length);
  for (let id = 0; id < classes.listed; id++) {
    const score = id - classOffset;
    const positives = ownBins.get(score);
    if (positives === undefined) continue;
    const exact = tally.exactScores.countsOf(score, tally.distributions);
    if (exact !== undefined) {
      // Equal scores are ties for scikit-learn too.
      const quality = oneVersusRest(exact.all, exact.own);
      if (quality !== undefined) found.push({ id, ...withoutBound(quality) });
      continue;
    }
    own.fill(0);
    for (const [bin, times] of positives) own[bin] = times;
    const quality = oneVersusRest(counts.subarray(score * bins.length, (score + 1) * bins.length), own);
    if (quality !== undefined) found.push({ id, ...quality });
  }
  if (found.length === 0) return undefined;
  return {
    classes: found,
    macroRocAuc: mean(found.map((each) => each.rocAuc)),
    macroAveragePrecision: mean(found.map((each) => each.averagePrecision)),
  };
}

function binsByScore(
  trueScores: ReadonlyMap<number, number>,
  length: number,
): Map<number, [number, number][]> {
  const found = new Map<number, [number, number][]>();
  for (const [cell, times] of trueScores) {
    const score = Math.floor(cell / length);
    const bins = found.get(score) ?? [];
    bins.push([cell % length, times]);
    found.set(score, bins);
  }
  return found;
}

function oneVersusRest(all: Uint32Array, own: Uint32Array): Omit<RankingQuality, 'id'> | undefined {
  let positives = 0;
  let negatives = 0;
  let ordered = 0;
  let tied = 0;
  let precision = 0;
  let bestPrecision = 0;
  let worstPrecision = 0;
  // From the highest score down, as thresholds fall.
  for (let bin = all.length - 1; bin >= 0; bin--) {
    const total = all[bin] ?? 0;
    if (total === 0) continue;
    const right = own[bin] ?? 0;
    const wrong = total - right;
    ordered += wrong * positives;
    tied += wrong * right;
    if (right > 0) {
      precision += (right * (positives + right)) / (positives + right + negatives + wrong);
      if (wrong === 0) {
        const exact = right === 1 ? (positives + 1) / (positives + 1 + negatives) : undefined;
        bestPrecision += exact ?? (right * (positives + right)) / (positives + right + negatives);
        worstPrecision += exact ?? (right * (positives + 1)) / (positives + 1 + negatives);
      } else {
        bestPrecision += (right * (positives + right)) / (positives + right + negatives);
        worstPrecision += (right * (positives + 1)) / (positives + 1 + negatives + wrong);
      }
    }
    positives += right;
    negatives += wrong;
  }
  if (positives === 0 || negatives === 0) return undefined;
  const pairs = positives * negatives;
  return {
    rocAuc: { value: (ordered + tied / 2) / pairs, errorBound: tied / 2 / pairs },
    averagePrecision: {
      value: precision / positives,
      errorBound: Math.max(bestPrecision - precision, precision - worstPrecision) / positives,
    },
  };
}

function withoutBound({ rocAuc, averagePrecision }: Omit<RankingQuality, 'id'>): Omit<RankingQuality, 'id'> {
  return {
    rocAuc: { ...rocAuc, errorBound: 0 },
    averagePrecision: { ...averagePrecision, errorBound: 0 },
  };
}

function mean(figures: readonly Bounded[]): Bounded {
  return {
    value: sumOf(figures.map((figure) => figure.value)) / figures.length,
    errorBound: sumOf(figures.map((figure) => figure.errorBound)) / figures.length,
  };
}
