import type { JobStoppers } from '../../src/app/engine/engine.ts';
import { lambdaStopper } from '../../src/app/engine/lambda/lambda-stopper.ts';
import { sageMakerStopper } from '../../src/app/engine/sagemaker/sagemaker-stopper.ts';
import { sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import { executions } from '../../src/aws/states/executions.ts';
import { readEnv } from './env.ts';

/** The engines of this stack, for functions that only stop jobs. */
export function stoppers(): JobStoppers {
  const { PREDICT_MACHINE_ARN: stateMachineArn } = readEnv('PREDICT_MACHINE_ARN');
  return {
    sagemaker: sageMakerStopper(sageMaker()),
    lambda: lambdaStopper(executions({ stateMachineArn })),
  };
}
