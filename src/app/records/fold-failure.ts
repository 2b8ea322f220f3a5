import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { ConditionName } from '../../problem/conditions.ts';
import { isCondition } from '../../problem/conditions.ts';
import type { RunParts } from '../../run/run-id.ts';

const FoldFailure = z.object({ schema: z.literal(1), error: z.string(), cause: z.string() });

/** Errors that no retry mends, and that the person who wrote pipeline.json must read. */
const TOLD = [
  'ClassCountMismatch',
  'TooManyLabels',
  'LabelFileUnreadable',
  'RunFileMissing',
  'BaselineMissing',
] as const satisfies readonly ConditionName[];

/**
 * Leaves the reason of a shard's failure in the bucket: a Distributed Map tells its parent only that children failed.
 * The first shard's word stays.
 */
export async function leaveFoldFailure(store: ObjectStore, run: RunParts, error: unknown): Promise<void> {
  if (!isCondition(error, ...TOLD)) return;
  const failure = { schema: 1, error: error.name, cause: error.message };
  await store.createIfAbsent(bucketLayout.foldFailure(run), JSON.stringify(failure));
}

/** The reason that a shard left; undefined where none did. */
export async function readFoldFailure(
  store: ObjectStore,
  run: RunParts,
): Promise<{ error: string; cause: string } | undefined> {
  const text = await store.readText(bucketLayout.foldFailure(run));
  if (text === undefined) return undefined;
  const { error, cause } = FoldFailure.parse(JSON.parse(text));
  return { error, cause };
}
