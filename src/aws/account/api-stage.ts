import { ApiGatewayV2Client, GetStageCommand, type RouteSettings } from '@aws-sdk/client-apigatewayv2';
import type { StageThrottles, Throttle } from '../../verify/route-throttles.ts';
import { withErrorNames } from '../calls/aws-error.ts';

/** Throttles of an API's default stage, as API Gateway returns them. */
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
