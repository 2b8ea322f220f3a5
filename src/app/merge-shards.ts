import * as z from 'zod';
import type { ObjectStore } from '../aws/object-store.ts';
import { bucketLayout } from '../drop/bucket-layout.ts';
import type { RunParts } from '../drop/run-id.ts';
import { mergeStored } from '../metric/stored-tally.ts';
import type { Tally } from '../metric/tally.ts';
import { ERRORS_CSV_HEADER, errorsCsvRow } from '../report/errors-csv.ts';
import type { ReportFailure } from '../report/report.ts';
import { inOrder } from './in-order.ts';
import { ShardTally } from './shard-tally.ts';

/** Tallies that are read at once. */
const CONCURRENT_READS = 16;
/** Failures that the report itself shows; errors.csv has all. */
export const SHOWN_FAILURES = 200;

const Shards = z.array(z.object({ shard: z.int().nonnegative() }));

/** A shard of the run left no tally. */
export class TallyMissing extends Error {
  override readonly name = 'TallyMissing';
}

/**
 * Adds the tallies of all shards to `tally` and writes errors.csv on the way: memory holds one merged tally and a few
 * shards, whatever their number. Gives the first failures.
 */
export async function mergeShards(store: ObjectStore, run: RunParts, tally: Tally): Promise<ReportFailure[]> {
  const listed = await store.readText(bucketLayout.shards(run));
  const shards = listed === undefined ? [] : Shards.parse(JSON.parse(listed));
  const shown: ReportFailure[] = [];
  const read = ({ shard }: { shard: number }): Promise<ShardTally> =>
    readTally(store, bucketLayout.tally(run, shard));
  async function* csv(): AsyncGenerator<string> {
    yield ERRORS_CSV_HEADER;
    for await (const [, { tally: stored, failures }] of inOrder(shards, CONCURRENT_READS, read)) {
      mergeStored(tally, stored);
      shown.push(...failures.slice(0, SHOWN_FAILURES - shown.length));
      if (failures.length > 0) yield failures.map(errorsCsvRow).join('');
    }
  }
  await store.writeStream(bucketLayout.errors(run), csv(), { contentType: 'text/csv; charset=utf-8' });
  return shown;
}

async function readTally(store: ObjectStore, key: string): Promise<ShardTally> {
  const text = await store.readText(key);
  if (text === undefined)
    throw new TallyMissing(`${key} is not there: FoldPredictions has not finished this shard`);
  return ShardTally.parse(JSON.parse(text));
}
