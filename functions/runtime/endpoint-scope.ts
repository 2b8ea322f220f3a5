import type { EndpointScope } from '../../src/app/endpoint/endpoint-scope.ts';
import { env } from './env.ts';

/** Which endpoints are this stack's. */
export function endpointScope(): EndpointScope {
  return { prefix: env('ENDPOINT_PREFIX') };
}
