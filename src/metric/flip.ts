import * as z from 'zod';
import { FilePlace } from '../input/file-place.ts';
import { compareByteOrder } from '../text/byte-order.ts';

/** A record with another prediction than in the baseline run. */
export const Flip = z.object({
  ...FilePlace.shape,
  truth: z.string().nullable(),
  before: z.string(),
  now: z.string(),
  /** Score of the predicted class, if the output has one. */
  scoreBefore: z.number().nullable(),
  scoreNow: z.number().nullable(),
});
export type Flip = z.infer<typeof Flip>;

/** Kind of a flip: right before and wrong now, the other way round, or neither, since both are wrong or the truth is unknown. */
export type FlipKind = 'lost' | 'gained' | 'changed';

/** The kind of a flip. */
export function flipKind({ truth, before, now }: Pick<Flip, 'truth' | 'before' | 'now'>): FlipKind {
  if (truth === null) return 'changed';
  return before === truth ? 'lost' : now === truth ? 'gained' : 'changed';
}

/** Cap on the flips of each kind that a report shows. */
const SHOWN_FLIPS = 40;
const KINDS: readonly FlipKind[] = ['lost', 'gained', 'changed'];

/** The flips worth showing: lost ones first, each kind by confidence; the order of merging does not matter. */
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
