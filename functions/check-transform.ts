import { checkTransform } from '../src/app/transform/check-transform.ts';
import { sageMaker } from '../src/aws/sagemaker.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `CheckTransform` of statemachines/batch-inference.asl.yml. */
export const handler = step(checkTransform, () => ({ store: bucket(), sagemaker: sageMaker(), clock: now }));
