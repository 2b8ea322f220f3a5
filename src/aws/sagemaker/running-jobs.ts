import { ListTransformJobsCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { request } from './sagemaker-request.ts';

/** Names of the transform jobs in progress that contain a text. */
export type RunningJobs = (containing: string) => Promise<readonly string[]>;

/** Page size: the most that the API allows; a verification starts a handful of jobs. */
const PAGE = 100;

/** Asks SageMaker of the account and region that the environment names. */
export const runningJobs: RunningJobs = async (NameContains) => {
  const { TransformJobSummaries = [] } = await request(
    new SageMakerClient().send(
      new ListTransformJobsCommand({ NameContains, StatusEquals: 'InProgress', MaxResults: PAGE }),
    ),
  );
  return TransformJobSummaries.map(({ TransformJobName = '' }) => TransformJobName);
};
