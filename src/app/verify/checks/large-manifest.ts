import { CPU_INSTANCE, instanceUsd, objectsUsd, toWholeCents } from '../../../verify/estimates.ts';
import { judgeLargeManifest } from '../../../verify/large-manifest.ts';
import type { Check } from '../check.ts';
import { onlyAws } from '../only-aws.ts';
import { runTestJob } from '../test-job.ts';

/** As many as PlanRun puts into one job. */
const FILES = 500_000;
const HOURS = 3;

/** A job with the largest manifest that the application writes. */
export const largeManifest: Check = {
  name: 'large-manifest',
  asks: `Does SageMaker take a manifest of ${FILES.toLocaleString('en-US')} files, and how many does it do in a second?`,
  usd: (region) => toWholeCents(objectsUsd(FILES)) + instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    if (!services.stack.isAws) return onlyAws('this machine would be measured, not SageMaker');
    const files: Record<string, string> = {};
    for (let file = 0; file < FILES; file++) files[`${Math.floor(file / 1000)}/${file % 1000}.txt`] = 'x';
    const { outputs, ...job } = await runTestJob(services, {
      purpose: 'large',
      files,
      namesOnly: true,
      spec: {
        contentType: 'application/x-image',
        accept: 'application/json',
        splitType: 'None',
        assembleWith: 'None',
        maxPayloadInMB: 1,
        maxConcurrentTransforms: 64,
      },
    });
    return judgeLargeManifest({ ...job, files: FILES, outputs: outputs.size });
  },
};
