import { prepareModel } from '../src/app/transform/prepare-model.ts';
import { modelConverter } from './runtime/convert-model.ts';
import { preparers } from './runtime/preparers.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `PrepareModel` of statemachines/batch-inference.asl.yml. */
export const handler = step(prepareModel, () => ({
  store: bucket(),
  prepare: preparers(),
  convertModel: modelConverter(bucket()),
}));
