import type { EndpointScope } from '../../src/app/endpoint/endpoint-scope.ts';
import { readEnv } from './env.ts';

/** Which endpoints are this stack's. */
export function endpointScope(): EndpointScope {
  return { prefix: readEnv('ENDPOINT_PREFIX').ENDPOINT_PREFIX };
}
