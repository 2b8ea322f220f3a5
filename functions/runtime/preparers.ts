import type { Preparers } from '../../src/app/engine/engine.ts';
import { openInFunction } from '../../src/app/engine/lambda/open-in-function.ts';
import { makeModel } from '../../src/app/engine/sagemaker/make-model.ts';
import { invokeFunction } from '../../src/aws/calls/invoke-function.ts';
import { sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import { readEnv } from './env.ts';
import { resourceTags } from './resource-tags.ts';
import { bucket } from './services.ts';

/** How each engine of this stack gets a model ready. */
export function preparers(): Preparers {
  const { PREDICT_FUNCTION } = readEnv('PREDICT_FUNCTION');
  return {
    sagemaker: makeModel(bucket(), sageMaker(resourceTags)),
    lambda: openInFunction((payload) => invokeFunction(PREDICT_FUNCTION, payload)),
  };
}
