import { predictShard } from '../src/app/engine/lambda/predict-shard.ts';
import { PREDICT_MEMORY_MB } from '../src/transform/predict-function.ts';
import { modelOpener } from './runtime/open-model.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `PredictShard` of statemachines/predict-shards.asl.yml. */
export const handler = step(predictShard, () => {
  // Lambda is paid for the start of a function, too.
  let startMs = performance.now();
  return {
    store: bucket(),
    clock: now,
    openModel: modelOpener(bucket()),
    memoryMB: PREDICT_MEMORY_MB,
    startMs: () => {
      const once = startMs;
      startMs = 0;
      return once;
    },
  };
});
