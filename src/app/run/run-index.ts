import * as z from 'zod';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { RunId } from '../../drop/run-id.ts';

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
