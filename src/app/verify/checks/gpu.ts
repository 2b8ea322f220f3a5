import { GPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { judgeGpu } from '../../../verify/gpu.ts';
import { TEST_TYPES } from '../../../verify/test-handler.ts';
import type { Check } from '../check.ts';
import { onlyAws } from '../only-aws.ts';
import { runTestJob } from '../test-job.ts';

const FILE = 'ask.txt';
const HOURS = 0.5;

/** Driver and CUDA of the machine image that batch transform takes by default for a GPU instance. */
export const gpu: Check = {
  name: 'gpu',
  asks: `Which driver has the machine image of ${GPU_INSTANCE}, and does the container see the GPU?`,
  usd: (region) => instanceUsd(GPU_INSTANCE, region, HOURS),
  run: async (services) => {
    if (!services.stack.isAws) return onlyAws('this machine has no GPU instances');
    const { status, failureReason, outputs } = await runTestJob(services, {
      purpose: 'gpu',
      files: { [FILE]: 'ask' },
      spec: {
        instanceType: GPU_INSTANCE,
        contentType: TEST_TYPES.gpu,
        accept: 'text/plain',
        splitType: 'None',
        assembleWith: 'None',
        maxPayloadInMB: 1,
        maxConcurrentTransforms: 1,
      },
    });
    return judgeGpu({ status, failureReason, said: outputs.get(`${FILE}.out`) });
  },
};
