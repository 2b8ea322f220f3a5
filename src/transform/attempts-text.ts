import type { JobRecord } from './job-record.ts';

/**
 * Why an input that was sent has no output, in one line.
 *
 * @param undone why no further job starts, if known
 */
export function attemptsText(attempts: readonly JobRecord[], undone: string | undefined): string {
  const last = attempts.at(-1);
  if (last === undefined) return 'no output';
  const said = last.failureReason === undefined ? last.status : `${last.status}: ${last.failureReason}`;
  const tries = attempts.length === 1 ? 'one job' : `${attempts.length} jobs`;
  const why = undone === undefined ? '' : `; no further job was started: ${undone}`;
  return `no output after ${tries}; ${last.jobName} ended ${said}${why}`;
}
