import type { Engines } from '../../src/app/engine/engine.ts';
import { sageMakerEngine } from '../../src/app/engine/sagemaker/sagemaker-engine.ts';
import { sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import { bucket, now } from './services.ts';

/** The engines that carry out this stack's jobs. */
export function engines(): Engines {
  return { sagemaker: sageMakerEngine({ store: bucket(), sagemaker: sageMaker(), clock: now }) };
}
