import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { RunId } from '../../run/run-id.ts';

/** An entry of `index/<pipeline>/`: a run in one line. */
export const RunSummary = z.object({
  schema: z.literal(1),
  run: RunId,
  status: z.string(),
  endedAt: z.iso.datetime(),
  total: z.int().nonnegative(),
  correct: z.int().nonnegative().nullable(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nullable(),
  gate: z.enum(['passed', 'failed', 'none']),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** Key of a run's entry: newest first in a listing, and the same however often the entry is written. */
export function runIndexKey(run: RunParts, startedAt: Date): string {
  const inverted = String(9_999_999_999_999 - startedAt.getTime()).padStart(13, '0');
  return `${bucketLayout.index(run.pipeline)}${inverted}-${run.drop}-${run.generation}.json`;
}

/** Runs of a pipeline that have ended, newest first. An entry that S3 removes meanwhile is passed over. */
export async function newestRuns(
  store: ObjectStore,
  pipeline: string,
  limit: number,
): Promise<readonly RunSummary[]> {
  const { objects } = await store.listPage(bucketLayout.index(pipeline), { limit });
  const texts = await Promise.all(objects.map(({ key }) => store.readText(key)));
  return texts.flatMap((text) => (text === undefined ? [] : [RunSummary.parse(JSON.parse(text))]));
}

/** The pipelines of which a run has ended. */
export async function pipelinesWithRuns(store: ObjectStore): Promise<readonly string[]> {
  const folders = await Array.fromAsync(store.listFolders('index/'));
  return folders.map((folder) => folder.split('/').at(-2) ?? folder);
}
