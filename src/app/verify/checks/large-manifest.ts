import { decimal, grouped } from '../../../text/figures.ts';
import type { Check } from '../check.ts';
import { CPU_INSTANCE, instanceUsd, objectsUsd, toWholeCents } from '../estimates.ts';
import { failed, type Finding, ok, onlyAws } from '../finding.ts';
import { runTestJob, type TestJobEnd } from '../probe/job.ts';

/** Number of files, the most that PlanRun puts into one job. */
const FILES = 500_000;
const HOURS = 3;

/** A job with the largest manifest that the application writes. */
export const largeManifest: Check = {
  name: 'large-manifest',
  asks: `Does SageMaker take a manifest of ${grouped(FILES)} files, and how many does it do in a second?`,
  usd: (region) => toWholeCents(objectsUsd(FILES)) + instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    if (!services.stack.isAws) return onlyAws('this machine would be measured, not SageMaker');
    const files: Record<string, string> = {};
    for (let file = 0; file < FILES; file++) files[`${Math.floor(file / 1000)}/${file % 1000}.txt`] = 'x';
    const job = await runTestJob(services, {
      purpose: 'large',
      files,
      namesOnly: true,
      spec: { contentType: 'application/x-image', accept: 'application/json', maxConcurrentTransforms: 64 },
    });
    return judgeLargeManifest(job, job.outputs.size);
  },
};

/** Whether SageMaker accepts the largest manifest that the application writes, and how fast it processes it. */
export function judgeLargeManifest(
  { status, failureReason, startSeconds, workSeconds }: Omit<TestJobEnd, 'name' | 'outputs'>,
  outputs: number,
): Finding {
  const rate = workSeconds === undefined || workSeconds === 0 ? undefined : outputs / workSeconds;
  const answered = [
    `${grouped(outputs)} outputs of ${grouped(FILES)} files`,
    `the job is ${status}${failureReason === undefined ? '' : ` (${failureReason})`}`,
    ...(startSeconds === undefined ? [] : [`up after ${Math.round(startSeconds)} s`]),
    ...(rate === undefined ? [] : [`${decimal(rate, 1)} files a second`]),
  ].join(', ');
  return status === 'Completed' && outputs === FILES
    ? ok(answered, 'Jobs of 500,000 files work. Compare the rate with docs/scale.md.')
    : failed(
        answered,
        'Drops of more files than this job could process would be halved repeatedly: split them into smaller drops, and report this file.',
      );
}
