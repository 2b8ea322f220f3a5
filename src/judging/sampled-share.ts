import { type Interval, wilsonInterval } from '../metric/wilson-interval.ts';

/** A group of inputs, how many of them were drawn, and the right answers among the drawn ones. */
export interface Stratum {
  readonly total: number;
  readonly drawn: number;
  readonly right: number;
}

/** Share of right answers in a whole drop, estimated from a sample. */
export interface SampledShare {
  readonly share: number;
  /** 95 % interval. */
  readonly interval: Interval;
}

/** Records by which a stratum's share is pulled toward the sample's, so that an open stratum never has a spread of 0. */
const SHRINKAGE = 2;

/** The share of the whole by its strata, and how many draws of a simple sample would say as much; infinitely many where all is drawn. */
interface Estimate {
  readonly share: number;
  readonly trials: number;
  /** Share of the whole that was drawn and is right, and that was drawn and is wrong. */
  readonly right: number;
  readonly wrong: number;
}

/**
 * Share of right answers from a stratified sample without replacement: Wilson's interval with the count of draws that a simple sample
 * would need for the same variance (Korn, Graubard 1998, Survey Methodology 24:193, with Clopper–Pearson). A stratum drawn whole adds no
 * uncertainty. Undefined if a stratum has no draw.
 */
export function sampledShare(strata: readonly Stratum[]): SampledShare | undefined {
  const found = estimate(strata);
  if (found === undefined) return undefined;
  const { share, trials, right, wrong } = found;
  if (trials === Infinity) return { share, interval: { low: share, high: share } };
  const interval = wilsonInterval(share * trials, trials);
  // What was drawn is known: the rest can at worst be all wrong, at best all right.
  return (
    interval && {
      share,
      interval: { low: Math.max(interval.low, right), high: Math.min(interval.high, 1 - wrong) },
    }
  );
}

/**
 * Share of right answers by the weights of the strata, and how many independent draws say as much of the inputs that such a drop
 * comes from: at most those drawn, also of a stratum that was drawn whole. Undefined if a stratum has no draw.
 */
export function weighedShare(
  strata: readonly Stratum[],
): { readonly share: number; readonly effective: number } | undefined {
  const found = estimate(strata, false);
  const drawn = strata.reduce((sum, each) => sum + each.drawn, 0);
  return found && { share: found.share, effective: Math.min(found.trials, drawn) };
}

/** @param isFinite whether the share is the drop's own, so that the drawn part of it is known */
function estimate(strata: readonly Stratum[], isFinite = true): Estimate | undefined {
  const present = strata.filter(({ total }) => total > 0);
  const sum = (of: (stratum: Stratum) => number): number =>
    present.reduce((part, stratum) => part + of(stratum), 0);
  const [total, drawn, right] = [
    sum((each) => each.total),
    sum((each) => each.drawn),
    sum((each) => each.right),
  ];
  if (total === 0 || present.some((each) => each.drawn === 0)) return undefined;
  const share = sum((each) => (each.total / total) * (each.right / each.drawn));
  const pooled = (right + 1) / (drawn + 2);
  const shrunk = (each: Stratum): number => (each.right + SHRINKAGE * pooled) / (each.drawn + SHRINKAGE);
  const variance = sum((each) => {
    const weight = each.total / total;
    const open = !isFinite ? 1 : each.total === 1 ? 0 : (each.total - each.drawn) / (each.total - 1);
    const p = shrunk(each);
    return (weight * weight * open * p * (1 - p)) / each.drawn;
  });
  const known = { right: right / total, wrong: (drawn - right) / total };
  if (variance === 0) return { share, trials: Infinity, ...known };
  const middle = sum((each) => (each.total / total) * shrunk(each));
  return { share, trials: (middle * (1 - middle)) / variance, ...known };
}
