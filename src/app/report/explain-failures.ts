import { fileOfRecord } from '../../input/record-name.ts';
import type { ReportFailure } from '../../report/report.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import type { Failure } from '../records/scoring.ts';

/** Cap on the inputs whose reason is kept in memory, which take a few megabytes. */
const MAX_EXPLAINED = 20_000;

/** Reasons for failures, from the logs of a run's jobs. */
export interface Explanations {
  /** The failure with the reason that the job's log gives. That of a record has the key of its table, and its place there. */
  readonly explain: (failure: Failure) => ReportFailure;
  /** Notes about the logs, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads why inputs have no answer, in the logs of the jobs that did not complete; the last job that names an input counts. If a log cannot
 * be read, its reasons are missing; the report is written all the same.
 *
 * @param jobs jobs of the run, oldest first
 * @param sentAs gives `<bucket>/<key>` of the object that a job reads for an input
 */
export async function readExplanations(
  logs: LogsByEngine,
  jobs: readonly JobRecord[],
  sentAs: (name: string) => string,
): Promise<Explanations> {
  const reasons = new Map<string, string>();
  const notes: string[] = [];
  let isCut = false;
  for (const job of jobs.filter(({ status }) => status !== 'Completed')) {
    try {
      for await (const { object, why } of logs[job.engine.name].failures(job, MAX_EXPLAINED + 1)) {
        if (reasons.size < MAX_EXPLAINED || reasons.has(object)) reasons.set(object, why);
        else isCut = true;
      }
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      notes.push(
        `the data log of ${job.jobName} cannot be read, so that errors.csv lacks what the container said: ${why}`,
      );
    }
  }
  if (isCut)
    notes.push(
      `errors.csv says of the first ${MAX_EXPLAINED} failed inputs what the container answered; inferdrop logs RUN shows all`,
    );
  return { explain: (failure) => placed(explained(failure, reasons.get(sentAs(failure.key)))), notes };
}

function placed({ record, ...failure }: Failure): ReportFailure {
  if (record === undefined) return failure;
  const { index: recordIndex, line, id } = record;
  return { ...failure, key: fileOfRecord(failure.key), recordIndex, line, ...(id !== undefined && { id }) };
}

function explained(failure: Failure, why: string | undefined): Failure {
  if (failure.reason !== 'model-error' || why === undefined) return failure;
  return { ...failure, detail: `${why} (${failure.detail})` };
}
