import { answerOf } from '../../input/file-place.ts';
import type { ReportFailure } from '../../report/report.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';

/** Cap on the inputs with a reason kept in memory, which take a few megabytes. */
const MAX_EXPLAINED = 20_000;

/** Reasons for failures, from the logs of a run's jobs. */
export interface Explanations {
  /** The failure with the reason that the job's log gives. */
  readonly explain: (failure: ReportFailure) => ReportFailure;
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
  const nameOf = ({ recordIndex, ...place }: ReportFailure): string =>
    answerOf({ ...place, recordIndex: recordIndex ?? 0 }).name;
  return { explain: (failure) => explained(failure, reasons.get(sentAs(nameOf(failure)))), notes };
}

function explained(failure: ReportFailure, why: string | undefined): ReportFailure {
  if (failure.reason !== 'model-error' || why === undefined) return failure;
  return { ...failure, detail: `${why} (${failure.detail})` };
}
