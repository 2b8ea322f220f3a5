import * as z from 'zod';
import { compareByteOrder } from '../text/byte-order.ts';

const MAX_NAMED = 3;

/** Files of a drop that do not count as inputs, counted as a listing meets them. */
export const HiddenFiles = z.object({
  count: z.int().nonnegative(),
  /** The first of their keys. */
  first: z.array(z.string()),
  /** The last of their keys: a listing that is taken up again meets some of them twice. */
  through: z.string().optional(),
});
export type HiddenFiles = z.infer<typeof HiddenFiles>;

/** Counts the next one, in byte order. */
export function countHidden(hidden: HiddenFiles, key: string): void {
  if (hidden.through !== undefined && compareByteOrder(key, hidden.through) <= 0) return;
  hidden.through = key;
  hidden.count += 1;
  if (hidden.first.length < MAX_NAMED) hidden.first.push(key);
}
