import * as z from 'zod';
import { compareByteOrder } from '../text/byte-order.ts';

/** A record whose prediction is another one than in the baseline run. */
export const Flip = z.object({
  key: z.string(),
  recordIndex: z.int().nonnegative(),
  truth: z.string().nullable(),
  before: z.string(),
  now: z.string(),
  /** Winner's score, where the output has one. */
  scoreBefore: z.number().nullable(),
  scoreNow: z.number().nullable(),
});
export type Flip = z.infer<typeof Flip>;

/** Right before and wrong now, the other way round, or neither: both wrong, or the truth is not known. */
export type FlipKind = 'lost' | 'gained' | 'changed';

export function flipKind({ truth, before, now }: Pick<Flip, 'truth' | 'before' | 'now'>): FlipKind {
  if (truth === null) return 'changed';
  return before === truth ? 'lost' : now === truth ? 'gained' : 'changed';
}

/** How many flips of each kind a report shows. */
const SHOWN_FLIPS = 40;
const KINDS: readonly FlipKind[] = ['lost', 'gained', 'changed'];

/** The flips worth showing: what was lost first, each kind by confidence; any way of merging gives the same list. */
export function topFlips(flips: readonly Flip[]): Flip[] {
  return KINDS.flatMap((kind) =>
    flips
      .filter((flip) => flipKind(flip) === kind)
      .sort(compareFlips)
      .slice(0, SHOWN_FLIPS),
  );
}

function compareFlips(left: Flip, right: Flip): number {
  return (
    (right.scoreNow ?? -1) - (left.scoreNow ?? -1) ||
    compareByteOrder(left.key, right.key) ||
    left.recordIndex - right.recordIndex
  );
}
