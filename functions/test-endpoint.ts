import { setTimeout as pause } from 'node:timers/promises';
import { testEndpoint } from '../src/app/endpoint/test-endpoint.ts';
import { models } from './runtime/models.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `TestEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step(testEndpoint, () => ({
  store: bucket(),
  runtime: models(),
  pause: (ms: number) => pause(ms),
}));
