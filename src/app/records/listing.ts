import * as z from 'zod';
import { CoveredVersion, Frozen, Slice } from '../../drop/frozen.ts';
import { HiddenFiles } from '../../drop/hidden-files.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Inputs that `job.json` states, and the version of `job.json` that did. */
const StatedInput = z.object({ field: z.string(), uri: z.string(), statedBy: CoveredVersion });
export type StatedInput = z.infer<typeof StatedInput>;

/** How far a listing has come. Slices have names of their own, so two invocations at once cannot spoil each other's. */
const ListingProgress = z.object({
  schema: z.literal(1),
  stated: StatedInput.optional(),
  /** Slices that covered the drop's files when the listing began. */
  before: z.array(Slice).readonly(),
  after: z.string().optional(),
  totals: Frozen.pick({ objects: true, bytes: true, largestObjectBytes: true, emptyObjects: true }),
  manifestSlices: z.array(Slice),
  coveredSlices: z.array(Slice),
  hidden: HiddenFiles,
});
export type ListingProgress = z.infer<typeof ListingProgress>;

/** Written by settle-drop after each slice of a listing. */
export const listingProgress = jsonDocument({
  key: bucketLayout.freezeProgress,
  schema: ListingProgress,
  write: 'replace',
});
