import type { Clock } from '../kernel/clock.ts';
import type { FrontRequest, Site } from '../kernel/service.ts';
import type { Route } from './api-record.ts';
import { type ApiStore, memberKey } from './api-store.ts';
import { type ApiCallers, authorizeIam } from './authorize-iam.ts';
import { authorizeJwt } from './authorize-jwt.ts';
import { type CallerAuthorizer, GatewayRefusal } from './gateway-refusal.ts';
import type { IssuerKeys } from './issuer-keys.ts';

interface AuthorizeOptions {
  readonly site: Site;
  readonly clock: Clock;
  readonly store: ApiStore;
  readonly keys: IssuerKeys;
  readonly callers?: ApiCallers;
}

/**
 * The caller, by the route's kind of authorization; undefined for an open route.
 *
 * @param resource - ARN of the request
 * @throws {GatewayRefusal} 401, 403
 */
export async function authorize(
  options: AuthorizeOptions,
  route: Route,
  request: FrontRequest,
  resource: string,
): Promise<CallerAuthorizer | undefined> {
  if (route.authorization === 'NONE') return undefined;
  if (route.authorization === 'AWS_IAM') return authorizeIam(options, request, resource);
  const authorizer = options.store.authorizers.get(memberKey(route.apiId, route.authorizerId ?? ''));
  if (!authorizer) throw new GatewayRefusal(500, `route ${route.routeKey} has no authorizer`);
  return authorizeJwt(options, authorizer, route, request);
}
