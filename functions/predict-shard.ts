import { predictShard } from '../src/app/engine/lambda/predict-shard.ts';
import { serveModel } from '../src/app/engine/lambda/serve-model.ts';
import { env } from './runtime/env.ts';
import { forEndpoints, modelOpener } from './runtime/open-model.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

const TICK_MS = 100;

/** State `PredictShard` of statemachines/predict-shards.asl.yml. */
export const handler = step(predictShard, () => {
  // Lambda is paid for the start of a function as well.
  let startMs = performance.now();
  return {
    store: bucket(),
    clock: now,
    openModel: modelOpener(bucket()),
    memoryMB: Number(env('AWS_LAMBDA_FUNCTION_MEMORY_SIZE')),
    peakMB: () => process.resourceUsage().maxRSS / 1024,
    ticks: (call) => {
      const timer = setInterval(call, TICK_MS);
      return () => clearInterval(timer);
    },
    startMs: () => {
      const once = startMs;
      startMs = 0;
      return once;
    },
  };
});

/**
 * Answers requests for endpoints of type lambda: in a function of its own, which has other rights, and of the same code, so that the models
 * that a run could open are served.
 */
export const serve = step(serveModel, () => ({
  openModel: modelOpener(bucket(), forEndpoints(Number(env('AWS_LAMBDA_FUNCTION_MEMORY_SIZE')))),
  deadline: (ms) => AbortSignal.timeout(ms),
}));
