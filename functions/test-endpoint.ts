import { setTimeout as pause } from 'node:timers/promises';
import { endpointRuntime } from '../src/app/endpoint/function/endpoint-runtime.ts';
import { testEndpoint } from '../src/app/endpoint/test-endpoint.ts';
import { modelsInFunctions } from './runtime/function-models.ts';
import { models } from './runtime/models.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `TestEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step(testEndpoint, () => ({
  store: bucket(),
  runtime: endpointRuntime(bucket(), models(), modelsInFunctions()),
  pause: (ms: number) => pause(ms),
}));
