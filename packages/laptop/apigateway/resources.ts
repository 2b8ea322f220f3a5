import { createHash } from 'node:crypto';
import * as z from 'zod';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceContext, ResourceTypes } from '../cloudformation/resource-type.ts';
import { validationError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { apiEndpoint } from './address.ts';
import type { Throttling } from './api-record.ts';
import { type ApiStore, memberKey } from './api-store.ts';
import {
  ApiProperties,
  AuthorizerProperties,
  IntegrationProperties,
  RouteProperties,
  RouteSettings,
  StageProperties,
} from './resource-properties.ts';
import { parseRouteKey } from './route-key.ts';

interface ApiResourceDeps {
  readonly store: ApiStore;
  readonly clock: Clock;
}

/** `AWS::ApiGatewayV2::*` of HTTP APIs with functions behind them. */
export function apiGatewayResources(deps: ApiResourceDeps): ResourceTypes {
  return {
    ...apiResource(deps),
    ...stageResource(deps),
    ...integrationResource(deps),
    ...authorizerResource(deps),
    ...routeResource(deps),
  };
}

function apiResource({ store, clock }: ApiResourceDeps): ResourceTypes {
  return resource('AWS::ApiGatewayV2::Api', {
    properties: ApiProperties,
    apply: async (parsed, context) => {
      const apiId = context.physicalId ?? makeId(context, 10);
      store.apis.set(apiId, {
        apiId,
        name: parsed.Name,
        ...(parsed.Description === undefined ? {} : { description: parsed.Description }),
        ...(parsed.CorsConfiguration === undefined ? {} : { cors: parsed.CorsConfiguration }),
        disabled: parsed.DisableExecuteApiEndpoint,
        createdMs: store.apis.get(apiId)?.createdMs ?? clock.now(),
      });
      return {
        ref: apiId,
        attributes: { ApiEndpoint: apiEndpoint(context.site.endpoint(), apiId), ApiId: apiId },
      };
    },
    remove: async (apiId) => void store.apis.delete(apiId),
  });
}

function stageResource({ store }: ApiResourceDeps): ResourceTypes {
  return resource('AWS::ApiGatewayV2::Stage', {
    properties: StageProperties,
    apply: async (parsed) => {
      const log = parsed.AccessLogSettings;
      const key = memberKey(parsed.ApiId, parsed.StageName);
      store.stages.set(key, {
        apiId: parsed.ApiId,
        name: parsed.StageName,
        defaultThrottling: toThrottling(parsed.DefaultRouteSettings),
        routeThrottling: Object.fromEntries(
          Object.entries(parsed.RouteSettings).map(([route, settings]) => [route, toThrottling(settings)]),
        ),
        ...(log && { accessLog: { group: toLogGroup(log.DestinationArn), format: log.Format } }),
        variables: parsed.StageVariables,
      });
      return { ref: parsed.StageName, attributes: {}, physicalId: key };
    },
    remove: async (key) => void store.stages.delete(key),
  });
}

function integrationResource({ store }: ApiResourceDeps): ResourceTypes {
  return resource('AWS::ApiGatewayV2::Integration', {
    properties: IntegrationProperties,
    apply: async (parsed, context) => {
      const integrationId = makeId(context, 7);
      const key = memberKey(parsed.ApiId, integrationId);
      store.integrations.set(key, {
        apiId: parsed.ApiId,
        integrationId,
        functionTarget: toFunctionTarget(parsed.IntegrationUri),
        timeoutMs: parsed.TimeoutInMillis,
      });
      return { ref: integrationId, attributes: { IntegrationId: integrationId }, physicalId: key };
    },
    remove: async (key) => void store.integrations.delete(key),
  });
}

function authorizerResource({ store }: ApiResourceDeps): ResourceTypes {
  return resource('AWS::ApiGatewayV2::Authorizer', {
    properties: AuthorizerProperties,
    apply: async (parsed, context) => {
      const authorizerId = makeId(context, 6);
      const key = memberKey(parsed.ApiId, authorizerId);
      store.authorizers.set(key, {
        apiId: parsed.ApiId,
        authorizerId,
        name: parsed.Name,
        identitySource: parsed.IdentitySource.map(toIdentitySource),
        issuer: parsed.JwtConfiguration.Issuer,
        audience: parsed.JwtConfiguration.Audience,
      });
      return { ref: authorizerId, attributes: { AuthorizerId: authorizerId }, physicalId: key };
    },
    remove: async (key) => void store.authorizers.delete(key),
  });
}

function routeResource({ store }: ApiResourceDeps): ResourceTypes {
  return resource('AWS::ApiGatewayV2::Route', {
    properties: RouteProperties,
    apply: async (parsed, context) => {
      if (parsed.RouteKey !== '$default') checkRouteKey(parsed.RouteKey);
      if ((parsed.AuthorizationType === 'JWT') !== (parsed.AuthorizerId !== undefined))
        throw validationError(
          `Resource ${context.logicalId}: AuthorizerId goes with AuthorizationType JWT, which is ${parsed.AuthorizationType}`,
        );
      const routeId = makeId(context, 7);
      const key = memberKey(parsed.ApiId, routeId);
      store.routes.set(key, {
        apiId: parsed.ApiId,
        routeId,
        routeKey: parsed.RouteKey,
        integrationId: parsed.Target.slice('integrations/'.length),
        authorization: parsed.AuthorizationType,
        ...(parsed.AuthorizerId === undefined ? {} : { authorizerId: parsed.AuthorizerId }),
        scopes: parsed.AuthorizationScopes,
      });
      return { ref: routeId, attributes: { RouteId: routeId }, physicalId: key };
    },
    remove: async (key) => void store.routes.delete(key),
  });
}

/** The same for the same place in a template, in the letters that AWS uses. */
function makeId({ stackName, logicalId }: ResourceContext, length: number): string {
  const digest = createHash('sha256').update(`${stackName}/${logicalId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, length);
}

function toThrottling(settings: z.infer<typeof RouteSettings>): Throttling {
  const { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst } = settings;
  return {
    ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
    ...(burst === undefined ? {} : { burst }),
  };
}

function toLogGroup(arn: string): string {
  return arn.replace(/^arn:[^:]*:logs:[^:]*:[^:]*:log-group:/, '').replace(/:\*$/, '');
}

const BEFORE_FUNCTION = '/functions/';

const BEHIND_FUNCTION = '/invocations';

/** Both the function's ARN and the long form with `…/functions/<arn>/invocations` are used. */
function toFunctionTarget(uri: string): string {
  const begin = uri.indexOf(BEFORE_FUNCTION);
  if (begin < 0 || !uri.endsWith(BEHIND_FUNCTION)) return uri;
  return uri.slice(begin + BEFORE_FUNCTION.length, -BEHIND_FUNCTION.length) || uri;
}

function toIdentitySource(expression: string): { from: 'header' | 'querystring'; name: string } {
  const [, from, name = ''] = /^\$request\.(header|querystring)\.(.+)$/.exec(expression) ?? [];
  if (from === 'header') return { from, name: name.toLowerCase() };
  if (from === 'querystring') return { from, name };
  throw validationError(
    `IdentitySource must be $request.header.NAME or $request.querystring.NAME, is ${expression}`,
  );
}

function checkRouteKey(key: string): void {
  try {
    parseRouteKey(key);
  } catch (error) {
    throw validationError(error instanceof Error ? error.message : String(error));
  }
}
