import * as z from 'zod';
import { FilePlace } from '../input/file-place.ts';
import { Member } from '../input/input.ts';
import { compareByteOrder } from '../text/byte-order.ts';

/** A mistake worth showing. */
export const Exemplar = z.object({
  ...FilePlace.shape,
  /** Where its bytes lie; absent if the input is an object. */
  member: Member.optional(),
  truth: z.string(),
  predicted: z.string(),
  /** Null if the output has no probability. */
  confidence: z.number().nullable(),
  /** Probability that the model gave to the truth. */
  truthScore: z.number().nullable(),
});
export type Exemplar = z.infer<typeof Exemplar>;

/** Cap on the most confident mistakes that are kept. */
export const MAX_EXEMPLARS = 60;

type ExemplarPlace = Pick<Exemplar, 'key' | 'recordIndex' | 'confidence'>;

/** Most confident first; equal ones in the order of their keys, so that the order of merging does not matter. */
export function compareExemplars(left: ExemplarPlace, right: ExemplarPlace): number {
  return (
    (right.confidence ?? -1) - (left.confidence ?? -1) ||
    compareByteOrder(left.key, right.key) ||
    left.recordIndex - right.recordIndex
  );
}
