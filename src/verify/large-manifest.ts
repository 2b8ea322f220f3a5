import type { Finding } from './finding.ts';

/** A job over the largest number of files that the application gives to one job. */
export interface LargeManifestFacts {
  readonly files: number;
  readonly outputs: number;
  readonly status: string;
  readonly failureReason: string | undefined;
  /** Seconds until the instance was up, and from then to the end. */
  readonly startSeconds: number | undefined;
  readonly workSeconds: number | undefined;
}

/** Whether SageMaker accepts the largest manifest that the application writes, and how fast it processes it. */
export function judgeLargeManifest(facts: LargeManifestFacts): Finding {
  const { files, outputs, status, failureReason, startSeconds, workSeconds } = facts;
  const rate = workSeconds === undefined || workSeconds === 0 ? undefined : outputs / workSeconds;
  const answered = [
    `${outputs.toLocaleString('en-US')} outputs of ${files.toLocaleString('en-US')} files`,
    `the job is ${status}${failureReason === undefined ? '' : ` (${failureReason})`}`,
    ...(startSeconds === undefined ? [] : [`up after ${Math.round(startSeconds)} s`]),
    ...(rate === undefined ? [] : [`${rate.toFixed(1)} files a second`]),
  ].join(', ');
  return status === 'Completed' && outputs === files
    ? {
        answered,
        verdict: 'ok',
        means: 'Jobs of 500,000 files work. Compare the rate with that of docs/scale.md.',
      }
    : {
        answered,
        verdict: 'failed',
        means:
          'Drops of more files than this job could process would be halved repeatedly: split them into smaller drops, and report this file.',
      };
}
