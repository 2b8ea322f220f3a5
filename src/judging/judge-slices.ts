import { drawnInterval, type Interval } from '../metric/wilson-interval.ts';
import { compareByteOrder } from '../text/byte-order.ts';
import { holm } from './holm.ts';
import type { RightOf } from './right-of.ts';
import { type ShareDifference, shareDifference } from './share-difference.ts';

/** A named part of the records. */
export interface Slice extends RightOf {
  readonly name: string;
}

/** A slice next to the rest of the records. */
export interface JudgedSlice extends Slice {
  readonly share: number;
  /** 95 % Wilson interval of the share; for a sample, of the slice in the whole drop. */
  readonly interval: Interval;
  /** Difference from all records outside the slice; undefined if there are none. */
  readonly toRest: ShareDifference | undefined;
  /** P of the difference after Holm's correction for all slices. */
  readonly correctedP: number;
  /** Mistakes beyond those that the slice would have with the accuracy of the rest: the gain from bringing it up to the rest. */
  readonly excessMistakes: number;
}

/**
 * Judges slices against the rest of `all` records; they may overlap. The weakest are first, by the upper limit of the interval, so
 * that slices of few records do not lead the list: "surely not better than 86 %". Slices without records are left out.
 *
 * @param fraction the fraction of the inputs that was drawn, if intervals are for the whole drop
 */
export function judgeSlices(slices: readonly Slice[], all: RightOf, fraction = 0): JudgedSlice[] {
  const judged = slices.flatMap((slice) => {
    const interval = drawnInterval(slice.right, slice.count, fraction);
    if (interval === undefined) return [];
    const rest = { right: all.right - slice.right, count: all.count - slice.count };
    const toRest = shareDifference(slice, rest, fraction);
    const excessMistakes = Math.max(0, -(toRest?.difference ?? 0) * slice.count);
    return [{ ...slice, share: slice.right / slice.count, interval, toRest, excessMistakes }];
  });
  const corrected = holm(judged.map(({ toRest }) => toRest?.pValue ?? 1));
  return judged.map((slice, at) => ({ ...slice, correctedP: corrected[at] ?? 1 })).sort(weakestFirst);
}

function weakestFirst(one: JudgedSlice, other: JudgedSlice): number {
  return (
    one.interval.high - other.interval.high ||
    one.share - other.share ||
    other.count - one.count ||
    compareByteOrder(one.name, other.name)
  );
}
