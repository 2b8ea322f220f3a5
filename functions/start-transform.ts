import {
  startTransform,
  StartTransformInput,
  StartTransformOutput,
} from '../src/app/transform/start-transform.ts';
import { sageMaker } from '../src/aws/sagemaker.ts';
import { bucket } from './runtime/bucket.ts';
import { step } from './runtime/step.ts';

/** State `StartTransform` of statemachines/batch-inference.asl.json. */
export const handler = step({
  input: StartTransformInput,
  output: StartTransformOutput,
  services: () => ({ store: bucket(), sagemaker: sageMaker() }),
  run: startTransform,
});
