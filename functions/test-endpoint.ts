import { setTimeout as pause } from 'node:timers/promises';
import { testEndpoint, TestEndpointInput, TestEndpointOutput } from '../src/app/endpoint/test-endpoint.ts';
import { runtime } from '../src/aws/runtime.ts';
import { bucket } from './runtime/bucket.ts';
import { step } from './runtime/step.ts';

/** State `TestEndpoint` of statemachines/endpoint.asl.json. */
export const handler = step({
  input: TestEndpointInput,
  output: TestEndpointOutput,
  services: () => ({ store: bucket(), runtime: runtime(), pause: (ms: number) => pause(ms) }),
  run: testEndpoint,
});
