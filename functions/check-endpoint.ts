import { checkEndpoint } from '../src/app/endpoint/check-endpoint.ts';
import { inferenceComponents } from '../src/aws/sagemaker/components.ts';
import { allEndpoints } from './runtime/all-endpoints.ts';
import { step } from './runtime/step.ts';

/** States `CheckEndpoint`, `CheckRollBack` and `CheckDeletion` of statemachines/endpoint.asl.yml. */
export const handler = step(checkEndpoint, () => ({
  endpoints: allEndpoints(),
  components: inferenceComponents(),
}));
