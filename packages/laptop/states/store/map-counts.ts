import * as z from 'zod';
import type { Ended } from './execution-file.ts';

/** Items of a map run, or its children, by their status. */
export const Counts = z.object({
  pending: z.number(),
  running: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  timedOut: z.number(),
  aborted: z.number(),
  total: z.number(),
  resultsWritten: z.number(),
});

/** Items of a map run, or its children, by their status. */
export type Counts = z.infer<typeof Counts>;

/** The counts of a map run before its first item. */
export function noCounts(): Counts {
  return {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    timedOut: 0,
    aborted: 0,
    total: 0,
    resultsWritten: 0,
  };
}

/** The name under which an ending is counted. */
function countOf(status: Ended['status']): 'succeeded' | 'failed' | 'timedOut' | 'aborted' {
  return ({ SUCCEEDED: 'succeeded', FAILED: 'failed', TIMED_OUT: 'timedOut', ABORTED: 'aborted' } as const)[
    status
  ];
}

/** Counts of a map run. A child that isn't started yet is no execution, and its items are pending. */
interface MapCounts {
  readonly itemCounts: Counts;
  readonly executionCounts: Counts;
}

/** Counts a child that begins to work on its items. */
export function countBegun({ itemCounts, executionCounts }: MapCounts, items: number): void {
  itemCounts.pending -= items;
  itemCounts.running += items;
  executionCounts.running++;
  executionCounts.total++;
}

/** Counts the end of a child that had begun. */
export function countEnded(
  { itemCounts, executionCounts }: MapCounts,
  status: Ended['status'],
  items: number,
): void {
  itemCounts.running -= items;
  itemCounts[countOf(status)] += items;
  executionCounts.running--;
  executionCounts[countOf(status)]++;
}

/** Items with finished children. */
export function endedItems({ succeeded, failed, timedOut, aborted }: Counts): number {
  return succeeded + failed + timedOut + aborted;
}
