import {
  deployEndpoint,
  DeployEndpointInput,
  DeployEndpointOutput,
} from '../src/app/endpoint/deploy-endpoint.ts';
import { sageMaker } from '../src/aws/sagemaker.ts';
import { changeServices } from './runtime/change-services.ts';
import { step } from './runtime/step.ts';

/** State `DeployEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step({
  input: DeployEndpointInput,
  output: DeployEndpointOutput,
  services: () => ({ sagemaker: sageMaker(), ...changeServices() }),
  run: deployEndpoint,
});
