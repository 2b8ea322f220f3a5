import type { JobLogs } from '../../aws/job-log.ts';
import type { ReportFailure, ReportJob } from '../../report/report.ts';
import { DataLogReader } from '../../transform/data-log.ts';

/** Inputs whose reason is kept in memory, a few megabytes of them. */
const MAX_EXPLAINED = 20_000;

/** Reasons for failures, from the logs of a run's jobs. */
export interface Explanations {
  /** The failure with the reason that the job's log gives. */
  readonly explain: (failure: ReportFailure) => ReportFailure;
  /** Notes about the logs, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads why inputs have no answer, in the data logs of the jobs that did not complete. A log that cannot be read costs its reasons,
 * not the report.
 */
export async function readExplanations(
  logs: Pick<JobLogs, 'dataLog'>,
  jobs: readonly ReportJob[],
  bucket: string,
): Promise<Explanations> {
  const reader = new DataLogReader(MAX_EXPLAINED);
  const notes: string[] = [];
  for (const { name } of jobs.filter(({ status }) => status !== 'Completed')) {
    try {
      for await (const { text } of logs.dataLog(name)) reader.add(text);
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      notes.push(
        `the data log of ${name} cannot be read, so that errors.csv lacks what the container said: ${why}`,
      );
    }
  }
  if (reader.isCut)
    notes.push(
      `errors.csv says of the first ${MAX_EXPLAINED} failed inputs what the container answered; inferdrop logs RUN shows all`,
    );
  return { explain: (failure) => explained(failure, reader.whyOf(bucket, failure.key)), notes };
}

function explained(failure: ReportFailure, why: string | undefined): ReportFailure {
  if (failure.reason !== 'model-error' || why === undefined) return failure;
  return { ...failure, detail: `${why} (${failure.detail})` };
}
