import { planRun } from '../src/app/plan/plan-run.ts';
import { env } from './runtime/env.ts';
import { bucket, now } from './runtime/services.ts';
import { stackSettings } from './runtime/stack-settings.ts';
import { step } from './runtime/step.ts';

/** State `PlanRun` of statemachines/batch-inference.asl.yml. */
export const handler = step(planRun, () => ({
  store: bucket(),
  clock: now,
  settings: {
    ...stackSettings('MODEL_ROLE_ARN'),
    predictConcurrency: Number(env('PREDICT_CONCURRENCY')),
    predictMemoryMB: Number(env('PREDICT_MEMORY_MB')),
  },
}));
