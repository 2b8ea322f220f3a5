import { SageMakerClient, UpdateInferenceComponentRuntimeConfigCommand } from '@aws-sdk/client-sagemaker';
import { request } from '../sagemaker/sagemaker-request.ts';

/** Takes all copies of an inference component away; the call does not wait for them. */
export type PutToSleep = (componentName: string) => Promise<void>;

/** Asks SageMaker of the account and region that the environment names. */
export const putToSleep: PutToSleep = async (InferenceComponentName) => {
  const command = new UpdateInferenceComponentRuntimeConfigCommand({
    InferenceComponentName,
    DesiredRuntimeConfig: { CopyCount: 0 },
  });
  await request(new SageMakerClient().send(command));
};
