import * as z from 'zod';
import type { Ended } from './execution-file.ts';

/** Items of a map run, each with a child of its own, by what has become of them. */
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

/** Items of a map run by what has become of them. */
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
export function countOf(status: Ended['status']): 'succeeded' | 'failed' | 'timedOut' | 'aborted' {
  return ({ SUCCEEDED: 'succeeded', FAILED: 'failed', TIMED_OUT: 'timedOut', ABORTED: 'aborted' } as const)[
    status
  ];
}

/** Counts a child that begins to work on its item. */
export function countBegun(counts: Counts): void {
  counts.pending--;
  counts.running++;
}

/** Counts the end of a child that had begun. */
export function countEnded(counts: Counts, status: Ended['status']): void {
  counts.running--;
  counts[countOf(status)]++;
}

/** Items whose children have ended. */
export function endedItems({ succeeded, failed, timedOut, aborted }: Counts): number {
  return succeeded + failed + timedOut + aborted;
}
