import { createHash } from 'node:crypto';
import { parseRunId } from '../run/run-id.ts';
import { toAsciiSlug } from '../text/ascii-slug.ts';

/** One attempt of one run of one stack. */
export interface Attempt {
  readonly bucket: string;
  readonly run: string;
  /**
   * Time of the run's plan: a stack that was deleted and deployed again restarts the numbers of its runs, but names stay taken.
   */
  readonly plannedAt: string;
  readonly attempt: number;
}

/** Name of an attempt's transform job, at most 63 characters; the same attempt always has the same name. */
export function toJobName({ bucket, run, plannedAt, attempt }: Attempt): string {
  const parts = parseRunId(run);
  const digest = createHash('sha256')
    .update(JSON.stringify([bucket, run, plannedAt, attempt]))
    .digest('hex')
    .slice(0, 12);
  const readable = `${toAsciiSlug(parts?.pipeline ?? 'run', 18)}-${toAsciiSlug(parts?.drop ?? 'run', 12)}`;
  return `inferdrop-${readable}-${attempt}-${digest}`;
}
