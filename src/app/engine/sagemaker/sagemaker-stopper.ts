import type { SageMaker } from '../../../aws/sagemaker/sagemaker.ts';
import type { JobStopper } from '../engine.ts';

/** Stops batch transform jobs. */
export function sageMakerStopper(
  sagemaker: Pick<SageMaker, 'describeTransformJob' | 'stopTransformJob'>,
): JobStopper {
  return {
    isRunning: async ({ jobName }) =>
      (await sagemaker.describeTransformJob(jobName))?.status === 'InProgress',
    stop: ({ jobName }) => sagemaker.stopTransformJob(jobName),
  };
}
