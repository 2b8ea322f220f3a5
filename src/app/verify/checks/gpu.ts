import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { batchImage } from '../../../model/instance-families.ts';
import { instanceFamily } from '../../../model/instance-type.ts';
import { GPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { combineFindings, type Finding } from '../../../verify/finding.ts';
import { judgeGpu, judgeOfferedAmi } from '../../../verify/gpu.ts';
import { TEST_TYPES } from '../../../verify/test-handler.ts';
import type { Check, VerifyServices } from '../check.ts';
import { onlyAws } from '../only-aws.ts';
import { pipelineConfigs } from '../pipeline-configs.ts';
import { offerTestJob, runTestJob, type TestJob } from '../test-job.ts';

const FILE = 'ask.txt';
const HOURS = 0.5;

/** A GPU type with the machine image that runs name for it. */
interface GpuImage {
  readonly instanceType: string;
  readonly amiVersion: string;
}

/** Driver and CUDA of the machine image that runs name for their jobs, and whether SageMaker offers it for each GPU family in use. */
export const gpu: Check = {
  name: 'gpu',
  asks: `Which driver has the machine image that runs name for ${GPU_INSTANCE}, and is it offered for each GPU family of the pipelines?`,
  usd: (region) => instanceUsd(GPU_INSTANCE, region, HOURS),
  run: async (services) => {
    if (!services.stack.isAws) return onlyAws('this machine has no GPU instances');
    const amiVersion = batchImage([GPU_INSTANCE]);
    if (amiVersion === null) throw new Error(`runs name no machine image for ${GPU_INSTANCE}`);
    const { status, failureReason, outputs } = await runTestJob(
      services,
      testJob('gpu', { instanceType: GPU_INSTANCE, amiVersion }),
    );
    const judged = judgeGpu({ status, failureReason, said: outputs.get(`${FILE}.out`), amiVersion });
    const others = await imagesInUse(services.store, { instanceType: GPU_INSTANCE, amiVersion });
    const offered: Finding[] = [];
    for (const image of others) offered.push(await offer(services, image, offered.length + 1));
    return combineFindings([judged, ...offered]);
  },
};

function testJob(purpose: string, image: GpuImage): TestJob {
  return {
    purpose,
    files: { [FILE]: 'ask' },
    spec: {
      ...image,
      contentType: TEST_TYPES.gpu,
      accept: 'text/plain',
      splitType: 'None',
      assembleWith: 'None',
      maxPayloadInMB: 1,
      maxConcurrentTransforms: 1,
    },
  };
}

/** Machine images that the pipelines' jobs name, once for each family, without the one that was tried. */
async function imagesInUse(store: ObjectStore, tried: GpuImage): Promise<readonly GpuImage[]> {
  const keyOf = ({ instanceType, amiVersion }: GpuImage): string =>
    `${instanceFamily(instanceType) ?? instanceType} ${amiVersion}`;
  const found = new Map<string, GpuImage>();
  for await (const { config } of pipelineConfigs(store)) {
    const { instanceTypes } = config.transform;
    const amiVersion = config.transform.amiVersion ?? batchImage(instanceTypes);
    if (amiVersion === null) continue;
    for (const instanceType of instanceTypes)
      found.set(keyOf({ instanceType, amiVersion }), { instanceType, amiVersion });
  }
  found.delete(keyOf(tried));
  return [...found.values()];
}

async function offer(services: VerifyServices, image: GpuImage, index: number): Promise<Finding> {
  try {
    await offerTestJob(services, testJob(`gpu${index}`, image));
    return judgeOfferedAmi(image, undefined);
  } catch (error) {
    if (error instanceof Error && ['ValidationException', 'ResourceLimitExceeded'].includes(error.name))
      return judgeOfferedAmi(image, error);
    throw error;
  }
}
