import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { readRows, type StoredRow } from '../../report/table/read-rows.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { Shard } from '../../transform/shard-cutter.ts';
import { shardsJson } from '../records/comparison.ts';
import { readShardEntries, type ShardEntries } from '../records/reconciled.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';

/** A line of reconciled.jsonl is shorter: 1,024 bytes of key, escaped, twice. */
const MAX_LINE_LENGTH = 32_768;

/** One shard of the baseline that holds some of the keys asked for. */
export interface BaselineShard {
  readonly entries: ShardEntries;
  readonly rows: AsyncIterable<readonly StoredRow[]>;
}

/** Plan of the baseline, with the common prefix of its keys. */
export async function readBaselinePlan(store: ObjectStore, baseline: RunParts): Promise<ScoringPlan> {
  const plan = await scoringPlanJson(baseline).read(store);
  if (plan === undefined)
    throw new Condition('BaselineMissing', `${bucketLayout.plan(baseline)} is not there any more`);
  return plan;
}

/**
 * Reads the shards of a run that hold the keys from `first` to `last`. Shards follow the order of the keys, so the first of them is found
 * by looking at a few first lines, and memory holds one shard, for a run of any size.
 */
export async function* readBaselineShards(
  store: ObjectStore,
  baseline: RunParts,
  { first, last }: { readonly first: string; readonly last: string },
): AsyncGenerator<BaselineShard> {
  const shards = await shardsJson(baseline).require(store);
  const firstKey = async (shard: Shard): Promise<string> => {
    const end = Math.min(shard.end, shard.start + MAX_LINE_LENGTH);
    // Only the first line is sure to be whole.
    const [entry] = await readEntries(store, baseline, { start: shard.start, end });
    return entry?.name ?? '';
  };
  let low = 0;
  for (let high = shards.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    const shard = shards[middle];
    if (shard !== undefined && compareByteOrder(await firstKey(shard), first) <= 0) low = middle;
    else high = middle;
  }
  for (const shard of shards.slice(low)) {
    const entries = await readEntries(store, baseline, shard);
    const [begin] = entries;
    if (begin !== undefined && compareByteOrder(begin.name, last) > 0) return;
    yield { entries, rows: readShardRows(store, bucketLayout.rows(baseline, shard.shard)) };
  }
}

async function readEntries(
  store: ObjectStore,
  run: RunParts,
  range: { readonly start: number; readonly end: number },
): Promise<ShardEntries> {
  const entries = await readShardEntries(store, run, range);
  if (entries === undefined)
    throw new Condition('BaselineMissing', `${bucketLayout.reconciled(run)} is not there any more`);
  return entries;
}

async function* readShardRows(store: ObjectStore, key: string): AsyncGenerator<StoredRow[]> {
  const bytes = await store.readBytes(key);
  if (bytes === undefined) throw new Condition('BaselineMissing', `${key} is not there any more`);
  yield* readRows(bytes);
}
