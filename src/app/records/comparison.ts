import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { CutterState } from '../../transform/shard-cutter.ts';
import { jsonDocument } from './document.ts';

/** What a comparison of manifest, inputs and outputs counts. */
export const ComparisonCounts = z.object({
  inputs: z.int().nonnegative(),
  /** Outputs of inputs that are still what the manifest says. */
  outputs: z.int().nonnegative(),
  /** Output objects, those of changed inputs included. */
  written: z.int().nonnegative(),
  /** Those between the first and the last key of the last attempt that are of its part. */
  writtenOfLast: z.int().nonnegative(),
  /** Inputs that were sent, are unchanged, and have no output. */
  missing: z.int().nonnegative(),
  changed: z.int().nonnegative(),
});
export type ComparisonCounts = z.infer<typeof ComparisonCounts>;

/** How far a comparison has come. Slices have names of their own, so two invocations at once cannot spoil each other's. */
const ComparisonProgress = z.object({
  schema: z.literal(1),
  isDone: z.boolean(),
  /** Bytes of the manifest that are compared. */
  manifestBytes: z.int().nonnegative(),
  place: z.object({ outputsAfter: z.string().optional(), foreign: z.array(z.string()).readonly() }),
  counts: ComparisonCounts,
  cutter: CutterState,
  slices: z.array(z.string()),
  /** What the lines so far say of inputs that no job was started for. */
  undone: z.string().optional(),
});
export type ComparisonProgress = z.infer<typeof ComparisonProgress>;

/** Written by reconcile-outputs after each slice of `reconciled.jsonl`, for each attempt on its own. */
export const comparisonProgress = jsonDocument({
  key: bucketLayout.comparisonProgress,
  schema: ComparisonProgress,
  write: 'replace',
  indent: 2,
});
