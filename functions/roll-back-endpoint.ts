import {
  rollBackEndpoint,
  RollBackEndpointInput,
  RollBackEndpointOutput,
} from '../src/app/endpoint/roll-back-endpoint.ts';
import { endpoints } from '../src/aws/endpoints.ts';
import { executions } from '../src/aws/executions.ts';
import { scaling } from '../src/aws/scaling.ts';
import { bucket } from './runtime/bucket.ts';
import { endpointScope } from './runtime/endpoint-scope.ts';
import { readEnv } from './runtime/env.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `RollBackEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step({
  input: RollBackEndpointInput,
  output: RollBackEndpointOutput,
  services: () => ({
    store: bucket(),
    endpoints: endpoints(),
    scaling: scaling(),
    executions: executions({ stateMachineArn: readEnv('ENDPOINT_MACHINE_ARN').ENDPOINT_MACHINE_ARN }),
    clock: now,
    scope: endpointScope(),
  }),
  run: rollBackEndpoint,
});
