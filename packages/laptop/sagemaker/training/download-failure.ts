import { JobFailure } from '../jobs/job-failure.ts';

/** Sentence on a download that failed and why, with the code of S3 where there is one. */
export function downloadProblem(what: string, error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  const code = name === 'Error' || name === '' ? '' : `${name}: `;
  return `${what} (${code}${message})`;
}

/** The failure of a job with unreadable input. */
export function downloadFailed(what: string, error: unknown): JobFailure {
  return new JobFailure(`ClientError: Data download failed:${downloadProblem(what, error)}`);
}
