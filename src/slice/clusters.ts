import * as z from 'zod';
import { Dimension } from './dimension.ts';

/** How a run finds the records that are alike, as a plan has it. */
export const Clusters = z.object({
  /** Word for a group, in the singular. */
  noun: z.string(),
  /** Properties that the records of a group have in common; empty if they're the records of one file, or the members of one tar. */
  by: z.array(Dimension),
});
export type Clusters = z.infer<typeof Clusters>;
