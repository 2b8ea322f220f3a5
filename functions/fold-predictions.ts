import { foldPredictions } from '../src/app/report/fold-predictions.ts';
import { bucket } from './runtime/bucket.ts';
import { imageFacts } from './runtime/image-facts.ts';
import { step } from './runtime/step.ts';

/** Child `FoldShard` of the Distributed Map `FoldPredictions` in statemachines/batch-inference.asl.yml. */
export const handler = step(foldPredictions, () => ({ store: bucket(), imageFacts }));
