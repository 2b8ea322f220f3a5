import type { LogLine } from '../../../aws/logs/log-events.ts';
import type { Check } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { failed, type Finding, ok, warning } from '../finding.ts';
import { COUNTED_LOG, TEST_TYPES } from '../probe/handler.ts';
import { readJobLog, runTestJob, type TestJobEnd } from '../probe/job.ts';

const FILES = 200;
const INSTANCES = 2;
/** Estimated hours of the job; most of it is start-up and not billed. */
const HOURS = 0.5;

/** One transform job over many small files on two instances. */
export const transformInstances: Check = {
  name: 'transform-instances',
  asks: `Do all ${INSTANCES} instances get files of one job over ${FILES}?`,
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS * INSTANCES),
  run: async (services) => {
    const job = await runTestJob(services, {
      purpose: 'share',
      files: Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`${index}.txt`, `${index}`])),
      namesOnly: true,
      spec: {
        instanceCount: INSTANCES,
        contentType: TEST_TYPES.counted,
        accept: 'text/plain',
        maxConcurrentTransforms: 4,
      },
    });
    const isCounted = ({ text }: LogLine): boolean => text.trim() === COUNTED_LOG;
    const lines = await readJobLog(services, job.name, (all) => all.filter(isCounted).length >= FILES);
    const byStream = Map.groupBy(lines.filter(isCounted), ({ stream }) => stream);
    return judgeInstances(
      job,
      [...byStream.values()].map((requests) => requests.length),
    );
  },
};

/** Part of an even share of the files from which on an instance counts as working. */
const LEAST_PART = 0.5;

/**
 * Whether every instance of a job has its part of the files: at least a quarter of all if there are two.
 *
 * @param requests by log stream; an instance without requests has no stream
 */
export function judgeInstances(
  { status, failureReason }: Pick<TestJobEnd, 'status' | 'failureReason'>,
  requests: readonly number[],
): Finding {
  const counts = [...requests].sort((a, b) => b - a);
  const seen = counts.reduce((sum, count) => sum + count, 0);
  if (status !== 'Completed')
    return failed(
      `the job over ${INSTANCES} instances is ${status} (${failureReason ?? 'no reason'})`,
      'A job with several instances could not be run: see the quotas of this stack, and set transform.instanceCount to 1 until it can.',
    );
  const answered =
    `of ${FILES} files ${seen} are in the logs of ${counts.length} of ${INSTANCES} instances: ` +
    `${counts.join(' and ') || 'none'}`;
  if (seen < FILES)
    return warning(
      answered,
      'The log was not complete in time, so that the shares are not known. Verify again, or count the streams of the ' +
        'job in the log group /aws/sagemaker/TransformJobs.',
    );
  const least = (LEAST_PART * FILES) / INSTANCES;
  if (counts.length < INSTANCES || counts.some((count) => count < least))
    return failed(
      answered,
      'Instances that get no files are billed all the same, and the run takes longer than quoted: set ' +
        'transform.instanceCount to 1, and report this file.',
    );
  return ok(answered, 'All instances of a job get their part of its files, as time and cost are quoted.');
}
