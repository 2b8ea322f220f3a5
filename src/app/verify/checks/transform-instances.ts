import { CPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { COUNTED_LOG, TEST_TYPES } from '../../../verify/test-handler.ts';
import { judgeInstances } from '../../../verify/transform-instances.ts';
import type { Check, VerifyServices } from '../check.ts';
import { runTestJob } from '../test-job.ts';

const FILES = 200;
const INSTANCES = 2;
/** Half an hour, most of which is start-up and not billed. */
const HOURS = 0.5;
const LOG_LOOKS = 12;
const LOG_PAUSE_MS = 5_000;

/** One transform job over many small files on two instances. */
export const transformInstances: Check = {
  name: 'transform-instances',
  asks: `Do both of ${INSTANCES} instances get files of one job over ${FILES}?`,
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
        splitType: 'None',
        assembleWith: 'None',
        maxPayloadInMB: 1,
        maxConcurrentTransforms: 4,
      },
    });
    return judgeInstances({
      status: job.status,
      failureReason: job.failureReason,
      files: FILES,
      instances: INSTANCES,
      requests: await countRequests(services, job.name),
    });
  },
};

/** Logs come late: looks again until every file is in them. */
async function countRequests(
  { jobLogs, wait, stack }: Pick<VerifyServices, 'jobLogs' | 'wait' | 'stack'>,
  job: string,
): Promise<ReadonlyMap<string, number>> {
  for (let look = 1; ; look++) {
    const requests = new Map<string, number>();
    let seen = 0;
    for await (const { stream, text } of jobLogs.all(job)) {
      if (text.trim() !== COUNTED_LOG) continue;
      requests.set(stream, (requests.get(stream) ?? 0) + 1);
      seen += 1;
    }
    if (seen >= FILES || look === LOG_LOOKS || !stack.isAws) return requests;
    await wait(LOG_PAUSE_MS);
  }
}
