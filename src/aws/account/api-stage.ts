import { ApiGatewayV2Client, GetStageCommand, type RouteSettings } from '@aws-sdk/client-apigatewayv2';
import { withErrorNames } from '../calls/aws-error.ts';

/** Average requests per second, and the burst, as API Gateway returns them: `RouteSettings` of a template is free JSON. */
export interface Throttle {
  readonly rate: unknown;
  readonly burst: unknown;
}

/** Throttles of a stage: of routes that have their own, by route key, and of all others. */
export interface StageThrottles {
  readonly others: Throttle;
  readonly routes: Readonly<Record<string, Throttle>>;
}

/** Reads the throttles of an API's default stage. */
export type RouteThrottles = (apiId: string) => Promise<StageThrottles>;

/** Reads the stage `$default` of an HTTP API. */
export const routeThrottles: RouteThrottles = async (apiId) => {
  const { DefaultRouteSettings = {}, RouteSettings = {} } = await withErrorNames(
    new ApiGatewayV2Client().send(new GetStageCommand({ ApiId: apiId, StageName: '$default' })),
  );
  return {
    others: toThrottle(DefaultRouteSettings),
    routes: Object.fromEntries(
      Object.entries(RouteSettings).map(([route, settings]) => [route, toThrottle(settings)]),
    ),
  };
};

function toThrottle({ ThrottlingRateLimit, ThrottlingBurstLimit }: RouteSettings): Throttle {
  return { rate: ThrottlingRateLimit, burst: ThrottlingBurstLimit };
}
