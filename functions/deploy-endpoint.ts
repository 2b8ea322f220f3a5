import { deployEndpoint } from '../src/app/endpoint/deploy-endpoint.ts';
import { DEPLOYERS } from '../src/app/endpoint/deployers.ts';
import { sageMaker } from '../src/aws/sagemaker/sagemaker.ts';
import { changeServices } from './runtime/change-services.ts';
import { resourceTags } from './runtime/resource-tags.ts';
import { step } from './runtime/step.ts';

/** State `DeployEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step(deployEndpoint, () => ({
  sagemaker: sageMaker(resourceTags),
  deployers: DEPLOYERS,
  ...changeServices(),
}));
