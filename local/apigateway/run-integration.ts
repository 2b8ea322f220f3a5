import type { Clock } from '../gateway/clock.ts';
import type { FunctionInvoker } from '../gateway/ports.ts';
import type { Route } from './api-record.ts';
import type { ApiStore } from './api-store.ts';
import { memberKey } from './api-store.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { Journey } from './journey.ts';

interface IntegrationOptions {
  readonly store: ApiStore;
  readonly functions: FunctionInvoker;
  readonly clock: Clock;
}

/**
 * Asks the function behind a route. The longest time that it may take is the integration's own; the function goes on when it
 * is over, as in AWS.
 *
 * @throws {GatewayRefusal} 503 when it is over, 500 where the route has no function
 */
export async function runIntegration(
  { store, functions, clock }: IntegrationOptions,
  route: Route,
  payload: Buffer,
  journey: Journey,
): ReturnType<FunctionInvoker['invoke']> {
  const integration = store.integrations.get(memberKey(route.apiId, route.integrationId));
  if (!integration) throw new GatewayRefusal(500, `route ${route.routeKey} has no integration`);
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(integration.timeoutMs, () =>
    late.reject(new GatewayRefusal(503, `the function did not answer within ${integration.timeoutMs} ms`)),
  );
  const startedMs = performance.now();
  const answered = functions.invoke(integration.functionTarget, payload);
  answered.catch(() => undefined);
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    cancel();
    journey.integrationMs = performance.now() - startedMs;
  }
}
