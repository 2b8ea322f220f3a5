import { withFunctionEndpoints } from '../../src/app/endpoint/function/function-endpoints.ts';
import { type Endpoints, endpoints } from '../../src/aws/sagemaker/endpoints.ts';
import { resourceTags } from './resource-tags.ts';
import { bucket, now } from './services.ts';

/** The account's endpoints, and this stack's of type lambda. */
export function allEndpoints(): Endpoints {
  return withFunctionEndpoints(bucket(), endpoints(resourceTags), now);
}
