import {
  foldPredictions,
  FoldPredictionsInput,
  FoldPredictionsOutput,
} from '../src/app/report/fold-predictions.ts';
import { bucket } from './runtime/bucket.ts';
import { step } from './runtime/step.ts';

/** Child `FoldShard` of the Distributed Map `FoldPredictions` in statemachines/batch-inference.asl.yml. */
export const handler = step({
  input: FoldPredictionsInput,
  output: FoldPredictionsOutput,
  services: () => ({ store: bucket() }),
  run: foldPredictions,
});
