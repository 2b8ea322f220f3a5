import { startTraining } from '../src/app/training/start-training.ts';
import { sageMaker } from '../src/aws/sagemaker/sagemaker.ts';
import { trainingJobs } from '../src/aws/sagemaker/training-jobs.ts';
import { executions } from '../src/aws/states/executions.ts';
import { env } from './runtime/env.ts';
import { resourceTags } from './runtime/resource-tags.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `StartTraining` of statemachines/training.asl.yml. */
export const handler = step(startTraining, () => {
  const stateMachineArn = env('TRAINING_MACHINE_ARN');
  return {
    store: bucket(),
    training: trainingJobs(resourceTags),
    sagemaker: sageMaker(),
    executions: () => executions({ stateMachineArn }),
    clock: now,
  };
});
