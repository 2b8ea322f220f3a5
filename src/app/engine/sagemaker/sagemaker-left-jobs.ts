import type { RunningJob } from '../../../aws/sagemaker/running-work.ts';
import type { FindLeftJobs } from '../left-jobs.ts';

/** Every name that a deployment gives to SageMaker has this in it. */
export const SAGEMAKER_NAMES = 'inferdrop-';

/** Jobs of one kind in SageMaker. */
export function sageMakerLeftJobs(
  list: (containing: string) => Promise<readonly RunningJob[]>,
  stop: (name: string) => Promise<void>,
): FindLeftJobs {
  return async (bucket) =>
    (await list(SAGEMAKER_NAMES))
      .filter(({ outputUri }) => outputUri.startsWith(`s3://${bucket}/`))
      .map(({ kind, name, instanceCount, instanceType }) => ({
        title: `${kind} job ${name}`,
        hardware: `${instanceCount} × ${instanceType}`,
        stop: () => stop(name),
      }));
}
