import { foldPredictions } from '../src/app/report/fold-predictions.ts';
import { imageFacts } from './runtime/image-facts.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** Child `FoldShard` of the Distributed Map `FoldPredictions` in statemachines/batch-inference.asl.yml. */
export const handler = step(foldPredictions, () => ({
  store: bucket(),
  imageFacts,
  clock: () => new Date(),
}));
