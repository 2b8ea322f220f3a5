import { createModel, CreateModelInput, CreateModelOutput } from '../src/app/transform/create-model.ts';
import { sageMaker } from '../src/aws/sagemaker.ts';
import { bucket } from './runtime/bucket.ts';
import { step } from './runtime/step.ts';

/** State `CreateModel` of statemachines/batch-inference.asl.yml. */
export const handler = step({
  input: CreateModelInput,
  output: CreateModelOutput,
  services: () => ({ store: bucket(), sagemaker: sageMaker() }),
  run: createModel,
});
