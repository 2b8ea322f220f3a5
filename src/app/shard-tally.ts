import * as z from 'zod';
import { StoredTally } from '../metric/stored-tally.ts';

/** An input, or one of its records, without a usable prediction. */
export const Failure = z.object({
  key: z.string(),
  recordIndex: z.int().nonnegative().nullable(),
  reason: z.string(),
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** `fold/<shard>.json`: what FoldPredictions leaves for WriteReport. */
export const ShardTally = z.object({
  schema: z.literal(1),
  shard: z.int().nonnegative(),
  tally: StoredTally,
  failures: z.array(Failure),
});
export type ShardTally = z.infer<typeof ShardTally>;
