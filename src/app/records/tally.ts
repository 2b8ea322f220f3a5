import * as z from 'zod';
import { Flip } from '../../metric/flip.ts';
import { StoredPairTally } from '../../metric/pair-tally.ts';
import { StoredTally } from '../../metric/stored-tally.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

const Count = z.int().nonnegative();

/** An input, or one of its records, without a usable prediction. */
export const Failure = z.object({
  key: z.string(),
  recordIndex: Count.nullable(),
  reason: z.string(),
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** `fold/<shard>.json`: what FoldPredictions leaves for WriteReport. */
export const ShardTally = z.object({
  schema: z.literal(1),
  shard: Count,
  tally: StoredTally,
  /** The inputs of it that the gate judges; absent where it judges all. */
  judged: StoredTally.optional(),
  failures: z.array(Failure),
  /** Against the baseline run; absent where there is none. */
  comparison: z.object({ tally: StoredPairTally, flips: Count, topFlips: z.array(Flip) }).optional(),
});
export type ShardTally = z.infer<typeof ShardTally>;

/** Written by the Lambda that folds the shard; a retry replaces it. */
export const tallyJson = jsonDocument({ key: bucketLayout.tally, schema: ShardTally, write: 'replace' });
