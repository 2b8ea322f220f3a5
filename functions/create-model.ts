import { createModel } from '../src/app/transform/create-model.ts';
import { sageMaker } from '../src/aws/sagemaker.ts';
import { bucket } from './runtime/bucket.ts';
import { step } from './runtime/step.ts';

/** State `CreateModel` of statemachines/batch-inference.asl.yml. */
export const handler = step(createModel, () => ({ store: bucket(), sagemaker: sageMaker() }));
