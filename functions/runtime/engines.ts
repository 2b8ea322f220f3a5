import type { Engines } from '../../src/app/engine/engine.ts';
import { lambdaEngine } from '../../src/app/engine/lambda/lambda-engine.ts';
import { sageMakerEngine } from '../../src/app/engine/sagemaker/sagemaker-engine.ts';
import { sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import { executions } from '../../src/aws/states/executions.ts';
import { readEnv } from './env.ts';
import { resourceTags } from './resource-tags.ts';
import { bucket, now } from './services.ts';

/** The engines that carry out this stack's jobs. */
export function engines(): Engines {
  const store = bucket();
  const { PREDICT_MACHINE_ARN: stateMachineArn } = readEnv('PREDICT_MACHINE_ARN');
  return {
    sagemaker: sageMakerEngine({ store, sagemaker: sageMaker(resourceTags), clock: now }),
    lambda: lambdaEngine({
      store,
      executions: executions({ stateMachineArn }),
      clock: now,
    }),
  };
}
