import type { TrainingJobRecord } from './training-job-record.ts';

/** A version of the archive, or a delete marker in its place. */
interface ArchiveVersion {
  readonly versionId: string;
  readonly lastModified: Date;
  readonly isDeleted: boolean;
}

/** Tolerated difference between the clocks of S3 and SageMaker. */
const MARGIN_MS = 60_000;

/** The version of its archive that a training job has written, or why it is not known; undefined if there is no version. */
export function writtenByJob(
  versions: readonly ArchiveVersion[],
  { startedAt, endedAt, jobName }: Pick<TrainingJobRecord, 'startedAt' | 'endedAt' | 'jobName'>,
): { readonly versionId: string } | { readonly problem: string } | undefined {
  const [written, ...others] = versions;
  if (written === undefined) return undefined;
  if (others.length > 0 || written.isDeleted)
    return {
      problem: `was written or deleted ${versions.length} times, and ${jobName} writes it once: versions ${versions
        .slice(0, 10)
        .map(({ versionId }) => versionId)
        .join(', ')}`,
    };
  const at = written.lastModified;
  if (
    at.getTime() >= Date.parse(startedAt ?? '') - MARGIN_MS &&
    at.getTime() <= Date.parse(endedAt ?? '') + MARGIN_MS
  )
    return { versionId: written.versionId };
  return {
    problem: `was written at ${at.toISOString()}, and ${jobName} ran from ${startedAt ?? 'no known time'} to ${endedAt ?? 'no known time'}`,
  };
}
