import type { Clock } from '../kernel/clock.ts';
import type { ServiceAccess } from '../kernel/permission.ts';
import type { FunctionInvoker } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { Route, Stage } from './api-record.ts';
import { type ApiStore, memberKey } from './api-store.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { Journey } from './journey.ts';

interface IntegrationOptions {
  readonly store: ApiStore;
  readonly functions: FunctionInvoker;
  /** Whether a function's policy lets the API in. */
  readonly access: ServiceAccess;
  readonly clock: Clock;
}

/** AWS's own text, which appears only in the access log. */
const NO_PERMISSION =
  "The IAM role configured on the integration or API Gateway doesn't have permissions to call the integration. Check " +
  'the permissions and try again.';

/**
 * Invokes the function behind a route, if its policy allows the API. When the integration times out, the wait stops; the function
 * continues, as in AWS.
 *
 * @throws {GatewayRefusal} 503 when it is over, 500 if the route has no function or may not invoke it
 */
export async function runIntegration(
  { store, functions, access, clock }: IntegrationOptions,
  route: Route,
  payload: Buffer,
  sourceArn: string,
  journey: Journey,
): ReturnType<FunctionInvoker['invoke']> {
  const integration = store.integrations.get(memberKey(route.apiId, route.integrationId));
  if (!integration) throw new GatewayRefusal(500, `route ${route.routeKey} has no integration`);
  const { functionTarget: resource, timeoutMs } = integration;
  const caller = { service: 'apigateway.amazonaws.com', sourceArn };
  if (access.refusal(caller, [{ action: 'lambda:InvokeFunction', resource }]) !== null)
    throw new GatewayRefusal(500, NO_PERMISSION);
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(timeoutMs, () =>
    late.reject(new GatewayRefusal(503, `the function did not answer within ${timeoutMs} ms`)),
  );
  const startedMs = performance.now();
  const answered = functions.invoke(resource, payload);
  answered.catch(() => undefined);
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    cancel();
    journey.integrationMs = performance.now() - startedMs;
  }
}

/** A request's ARN in the policy of its caller: `…:<apiId>/<stage>/<method>/<path>`. */
export function callArn(
  { partition, region, account }: Site,
  { apiId, name }: Pick<Stage, 'apiId' | 'name'>,
  method: string,
  path: string,
): string {
  return `arn:${partition}:execute-api:${region}:${account}:${apiId}/${name}/${method}${path}`;
}

/** A request's ARN in the policy of the function behind it: `…:<apiId>/<stage>/<method>/<path of the route>`. */
export function invocationArn(
  { partition, region, account }: Site,
  stage: Stage,
  { apiId, routeKey }: Route,
  requestMethod: string,
): string {
  const [method = '', path] = routeKey.split(' ');
  const way = path === undefined ? method : `${method === 'ANY' ? requestMethod : method}${path}`;
  return `arn:${partition}:execute-api:${region}:${account}:${apiId}/${stage.name}/${way}`;
}
