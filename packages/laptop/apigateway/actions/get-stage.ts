import { AwsError } from '../../kernel/aws-error.ts';
import type { Throttling } from '../api-record.ts';
import { type ApiStore, memberKey } from '../api-store.ts';

/** `GetStage`. */
export function getStage(store: ApiStore, apiId: string, name: string): Readonly<Record<string, unknown>> {
  const stage = store.stages.get(memberKey(apiId, name));
  if (stage === undefined)
    throw new AwsError('NotFoundException', `Invalid stage identifier specified: ${name} of ${apiId}`, {
      statusCode: 404,
    });
  return {
    stageName: stage.name,
    autoDeploy: true,
    defaultRouteSettings: toSettings(stage.defaultThrottling),
    routeSettings: Object.fromEntries(
      Object.entries(stage.routeThrottling).map(([route, throttling]) => [route, toSettings(throttling)]),
    ),
    stageVariables: stage.variables,
  };
}

function toSettings({ ratePerSecond, burst }: Throttling): Readonly<Record<string, unknown>> {
  return { detailedMetricsEnabled: false, throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst };
}
