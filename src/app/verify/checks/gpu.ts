import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { batchImage } from '../../../model/instance-families.ts';
import { instanceFamily } from '../../../model/instance-type.ts';
import type { Check, VerifyServices } from '../check.ts';
import { GPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { combineFindings, failed, type Finding, ok, onlyAws, warning } from '../finding.ts';
import { pipelineConfigs } from '../pipeline-configs.ts';
import { TEST_TYPES } from '../probe/handler.ts';
import { offerTestJob, runTestJob, type TestJob, type TestJobEnd } from '../probe/job.ts';

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
    const image = { instanceType: GPU_INSTANCE, amiVersion };
    const judged = judgeGpu(await runTestJob(services, testJob('gpu', image)), amiVersion);
    const others = await imagesInUse(services.store, image);
    const offered: Finding[] = [];
    for (const other of others) offered.push(await offer(services, other, offered.length + 1));
    return combineFindings([judged, ...offered]);
  },
};

function testJob(purpose: string, image: GpuImage): TestJob {
  return {
    purpose,
    files: { [FILE]: 'ask' },
    spec: { ...image, contentType: TEST_TYPES.gpu, accept: 'text/plain' },
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

/** Whether the machine image that runs name for a GPU instance has a driver for today's containers. */
export function judgeGpu(
  { status, failureReason, outputs }: Pick<TestJobEnd, 'status' | 'failureReason' | 'outputs'>,
  amiVersion: string,
): Finding {
  const said = outputs.get(`${FILE}.out`);
  const driver = /Driver Version:\s*([\d.]+)/.exec(said ?? '')?.[1];
  const cuda = /CUDA Version:\s*([\d.]+)/.exec(said ?? '')?.[1];
  if (said === undefined)
    return failed(
      `the job is ${status} (${failureReason ?? 'no reason'})`,
      'A GPU instance could not be used: see the quotas of this stack, or name another type.',
    );
  if (driver === undefined)
    return failed(
      `nvidia-smi says ${JSON.stringify(said.slice(0, 200))}`,
      'The container sees no GPU and computes on the CPU at the price of a GPU: name another transform.amiVersion, or a CPU instance.',
    );
  return {
    answered: `${amiVersion}: driver ${driver}, CUDA ${cuda ?? 'not reported'}`,
    // CUDA 12 needs driver 525: https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/
    verdict: Number.parseInt(driver, 10) >= 525 ? 'ok' : 'failed',
    means:
      Number.parseInt(driver, 10) >= 525
        ? 'The driver runs containers of CUDA 12.'
        : 'The driver is too old for CUDA 12: TensorFlow falls back to the CPU without an error. Name another transform.amiVersion.',
  };
}

/**
 * Whether SageMaker takes jobs that name this machine image for the type.
 *
 * @param refusal of CreateTransformJob: a ValidationException, or a ResourceLimitExceeded, which says nothing of the image
 */
export function judgeOfferedAmi(
  { instanceType, amiVersion }: GpuImage,
  refusal: Pick<Error, 'name' | 'message'> | undefined,
): Finding {
  if (refusal === undefined) return ok(`${instanceType} is offered with ${amiVersion}`, '');
  const answered = `${instanceType} with ${amiVersion}: ${refusal.message}`;
  return refusal.name === 'ResourceLimitExceeded'
    ? warning(
        answered,
        `The quota of ${instanceType} leaves no instance to try its machine image with: see instance-quotas.`,
      )
    : failed(
        answered,
        `SageMaker refuses the jobs of pipelines that use ${instanceType}: name another transform.amiVersion, or another type.`,
      );
}
