import type { Finding } from './finding.ts';

/** Output of a batch transform instance about its GPU. */
export interface GpuFacts {
  readonly status: string;
  readonly failureReason: string | undefined;
  /** Text of `nvidia-smi`; undefined where the job left none. */
  readonly said: string | undefined;
  /** Machine image that the job named. */
  readonly amiVersion: string;
}

/** Whether the machine image that runs name for a GPU instance has a driver for today's containers. */
export function judgeGpu({ status, failureReason, said, amiVersion }: GpuFacts): Finding {
  const driver = /Driver Version:\s*([\d.]+)/.exec(said ?? '')?.[1];
  const cuda = /CUDA Version:\s*([\d.]+)/.exec(said ?? '')?.[1];
  if (said === undefined)
    return {
      answered: `the job is ${status} (${failureReason ?? 'no reason'})`,
      verdict: 'failed',
      means: 'A GPU instance could not be used: see the quotas of this stack, or name another type.',
    };
  if (driver === undefined)
    return {
      answered: `nvidia-smi says ${JSON.stringify(said.slice(0, 200))}`,
      verdict: 'failed',
      means:
        'The container sees no GPU and computes on the CPU at the price of a GPU: name another transform.amiVersion, or a CPU instance.',
    };
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
  { instanceType, amiVersion }: { readonly instanceType: string; readonly amiVersion: string },
  refusal: Pick<Error, 'name' | 'message'> | undefined,
): Finding {
  if (refusal === undefined)
    return { answered: `${instanceType} is offered with ${amiVersion}`, verdict: 'ok', means: '' };
  const answered = `${instanceType} with ${amiVersion}: ${refusal.message}`;
  return refusal.name === 'ResourceLimitExceeded'
    ? {
        answered,
        verdict: 'warning',
        means: `The quota of ${instanceType} leaves no instance to try its machine image with: see instance-quotas.`,
      }
    : {
        answered,
        verdict: 'failed',
        means: `SageMaker refuses the jobs of pipelines that use ${instanceType}: name another transform.amiVersion, or another type.`,
      };
}
