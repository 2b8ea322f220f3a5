import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { CutterState, Shard } from '../../transform/shard-cutter.ts';
import { jsonDocument } from './document.ts';

/** Counts that a comparison of manifest, inputs and outputs makes. */
export const ComparisonCounts = z.object({
  inputs: z.int().nonnegative(),
  /** Outputs of inputs that are still what the manifest says. */
  outputs: z.int().nonnegative(),
  /** Output objects, including changed inputs' ones. */
  written: z.int().nonnegative(),
  /** Output objects between the first and the last key of the last attempt that belong to its part. */
  writtenOfLast: z.int().nonnegative(),
  /** Inputs of the run's round that were sent, are unchanged, and have no output, but may have one. */
  missing: z.int().nonnegative(),
  /** Words of the model about the first input that it refused for good; absent without one. */
  refusal: z.string().optional(),
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
  /** The reason that the lines so far give for inputs that no job was started for. */
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

/** Ranges of reconciled.jsonl, each folded by one Lambda; also the items of the Distributed Map. */
export const shardsJson = jsonDocument({
  key: bucketLayout.shards,
  schema: z.array(Shard).readonly(),
  write: 'replace',
  indent: 2,
});
