import * as z from 'zod';
import type { Ended } from './execution-file.ts';

/** Items, or children, of a map run by what has become of them. */
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

/** Items, or children, of a map run by what has become of them. */
export type Counts = z.infer<typeof Counts>;

/** Those of a map run before its first item. */
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

/** Under which name an ending is counted. */
export function countOf(status: Ended['status']): 'succeeded' | 'failed' | 'timedOut' | 'aborted' {
  return ({ SUCCEEDED: 'succeeded', FAILED: 'failed', TIMED_OUT: 'timedOut', ABORTED: 'aborted' } as const)[
    status
  ];
}

/** The counts of a map run. */
interface Counted {
  readonly itemCounts: Counts;
  readonly executionCounts: Counts;
}

/** Counts a child that begins to work on its items. */
export function countBegun({ itemCounts, executionCounts }: Counted, itemCount: number): void {
  executionCounts.total++;
  executionCounts.running++;
  itemCounts.pending -= itemCount;
  itemCounts.running += itemCount;
}

/** Counts the end of a child that had begun. */
export function countEnded(
  { itemCounts, executionCounts }: Counted,
  itemCount: number,
  status: Ended['status'],
): void {
  const field = countOf(status);
  executionCounts.running--;
  executionCounts[field]++;
  itemCounts.running -= itemCount;
  itemCounts[field] += itemCount;
}

/** Items whose children have ended. */
export function endedItems({ itemCounts }: Counted): number {
  return itemCounts.succeeded + itemCounts.failed + itemCounts.timedOut + itemCounts.aborted;
}
