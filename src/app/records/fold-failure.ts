import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type ConditionName, isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

const FoldFailure = z.object({ schema: z.literal(1), error: z.string(), cause: z.string() });

/**
 * Why a shard could not be folded: a Distributed Map reports to its parent only that children failed. The first shard's reason is
 * kept.
 */
export const foldFailureJson = jsonDocument({
  key: bucketLayout.foldFailure,
  schema: FoldFailure,
  write: 'once',
});

/** Errors that no retry removes, and that the author of pipeline.json can correct. */
const TOLD = [
  'ClassCountMismatch',
  'TooManyLabels',
  'LabelFileUnreadable',
  'RunFileMissing',
  'BaselineMissing',
  'StoredByEarlierBuild',
] as const satisfies readonly ConditionName[];

/** Stores the reason of a shard's failure. */
export async function storeFoldFailure(store: ObjectStore, run: RunParts, error: unknown): Promise<void> {
  if (!isCondition(error, ...TOLD)) return;
  await foldFailureJson(run).create(store, { schema: 1, error: error.name, cause: error.message });
}
