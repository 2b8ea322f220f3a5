import type { Finding } from './finding.ts';

/** Requests of a job over several instances, by the log stream of each. */
export interface InstanceShares {
  readonly status: string;
  readonly failureReason: string | undefined;
  readonly files: number;
  readonly instances: number;
  /** Requests by log stream; an instance without any has no entry. */
  readonly requests: ReadonlyMap<string, number>;
}

/** An instance works if it has this part of what an even distribution gives it. */
const LEAST_PART = 0.5;

/** Whether every instance of a job has its part of the files: at least a quarter of all where there are two. */
export function judgeInstances({
  status,
  failureReason,
  files,
  instances,
  requests,
}: InstanceShares): Finding {
  const counts = [...requests.values()].sort((a, b) => b - a);
  const seen = counts.reduce((sum, count) => sum + count, 0);
  if (status !== 'Completed')
    return {
      answered: `the job over ${instances} instances is ${status} (${failureReason ?? 'no reason'})`,
      verdict: 'failed',
      means:
        'A job with several instances could not be run: see the quotas of this stack, and set transform.instanceCount to 1 until it can.',
    };
  const answered = `of ${files} files ${seen} are in the logs of ${counts.length} of ${instances} instances: ${counts.join(' and ') || 'none'}`;
  if (seen < files)
    return {
      answered,
      verdict: 'warning',
      means:
        'The log was not complete in time, so that the shares are not known. Verify again, or count the streams of the job in the log group /aws/sagemaker/TransformJobs.',
    };
  const least = (LEAST_PART * files) / instances;
  if (counts.length < instances || counts.some((count) => count < least))
    return {
      answered,
      verdict: 'failed',
      means:
        'Instances that get no files are billed all the same, and the run takes longer than quoted: set transform.instanceCount to 1, and report this file.',
    };
  return {
    answered,
    verdict: 'ok',
    means: 'All instances of a job get their part of its files, as time and cost are quoted.',
  };
}
