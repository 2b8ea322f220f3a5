import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  booleanProperty,
  jsonTextProperty,
  numberProperty,
  parseProperties,
} from '../cloudformation/property-values.ts';
import type { ResourceContext, ResourceTypes } from '../cloudformation/resource-type.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { apiEndpoint } from './address.ts';
import type { Throttling } from './api-record.ts';
import { type ApiStore, memberKey } from './api-store.ts';
import { parseRouteKey } from './route-key.ts';

const Tags = z.record(z.string(), z.string());
const Strings = z.array(z.string());

const ApiProperties = z.strictObject({
  Name: z.string(),
  ProtocolType: z.literal('HTTP', { error: 'this stack makes HTTP APIs only' }),
  Description: z.string().optional(),
  Version: z.string().optional(),
  DisableExecuteApiEndpoint: booleanProperty.default(false),
  CorsConfiguration: z
    .strictObject({
      AllowCredentials: booleanProperty.optional(),
      AllowHeaders: Strings.optional(),
      AllowMethods: Strings.optional(),
      AllowOrigins: Strings.optional(),
      ExposeHeaders: Strings.optional(),
      MaxAge: numberProperty.optional(),
    })
    .optional(),
  IpAddressType: z.string().optional(),
  /** Accepted and not kept. */
  Tags: Tags.optional(),
});

const RouteSettings = z.strictObject({
  ThrottlingBurstLimit: numberProperty.optional(),
  ThrottlingRateLimit: numberProperty.optional(),
  /** The stack measures the API as a whole. */
  DetailedMetricsEnabled: booleanProperty.optional(),
});

const TEXT =
  'must be a number, is text: RouteSettings is free JSON, in which CloudFormation makes no numbers of Refs';
/** Settings of one route: free JSON to CloudFormation. What API Gateway makes of text in it is not documented. */
const OneRouteSettings = RouteSettings.extend({
  ThrottlingBurstLimit: z.number({ error: TEXT }).optional(),
  ThrottlingRateLimit: z.number({ error: TEXT }).optional(),
});

const StageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.string().regex(/^(\$default|[a-zA-Z0-9_-]{1,128})$/),
  AutoDeploy: booleanProperty.pipe(
    z.literal(true, { error: 'deployments are not emulated by this stack: set AutoDeploy to true' }),
  ),
  Description: z.string().optional(),
  DefaultRouteSettings: RouteSettings.default({}),
  RouteSettings: z
    .union([
      z.record(z.string(), OneRouteSettings),
      jsonTextProperty.pipe(z.string().transform(parseSettings)),
    ])
    .default({}),
  AccessLogSettings: z.strictObject({ DestinationArn: z.string(), Format: z.string() }).optional(),
  StageVariables: z.record(z.string(), z.string()).default({}),
  Tags: Tags.optional(),
});

function parseSettings(text: string): Record<string, z.infer<typeof OneRouteSettings>> {
  return z.record(z.string(), OneRouteSettings).parse(JSON.parse(text));
}

const TIMEOUT = 'Timeout should be between 50 ms and 30000 ms';
const IntegrationProperties = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY', { error: 'this stack integrates functions only: AWS_PROXY' }),
  IntegrationUri: z.string(),
  IntegrationMethod: z.string().optional(),
  PayloadFormatVersion: z.literal('2.0', { error: 'this stack speaks payload format 2.0 only' }),
  TimeoutInMillis: numberProperty
    .pipe(z.number().int().min(50, TIMEOUT).max(30_000, TIMEOUT))
    .default(30_000),
  Description: z.string().optional(),
});

const AuthorizerProperties = z.strictObject({
  ApiId: z.string(),
  Name: z.string(),
  AuthorizerType: z.literal('JWT', { error: 'this stack authorizes by JWT or AWS_IAM, not by functions' }),
  IdentitySource: Strings.min(1),
  JwtConfiguration: z.strictObject({ Issuer: z.string(), Audience: Strings.min(1) }),
});

const RouteProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().regex(/^integrations\/.+$/, 'must be integrations/<id>'),
  AuthorizationType: z.enum(['NONE', 'AWS_IAM', 'JWT']).default('NONE'),
  AuthorizerId: z.string().optional(),
  AuthorizationScopes: Strings.default([]),
  OperationName: z.string().optional(),
  ApiKeyRequired: booleanProperty.pipe(z.literal(false, { error: 'HTTP APIs have no API keys' })).optional(),
});

/** `AWS::ApiGatewayV2::*` of HTTP APIs with functions behind them. */
export function apiGatewayResources({
  store,
  clock,
}: {
  readonly store: ApiStore;
  readonly clock: Clock;
}): ResourceTypes {
  return {
    'AWS::ApiGatewayV2::Api': {
      apply: async (properties, context) => {
        const parsed = parseProperties(
          'AWS::ApiGatewayV2::Api',
          context.logicalId,
          ApiProperties,
          properties,
        );
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
    },
    'AWS::ApiGatewayV2::Stage': {
      apply: async (properties, { logicalId }) => {
        const parsed = parseProperties('AWS::ApiGatewayV2::Stage', logicalId, StageProperties, properties);
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
    },
    'AWS::ApiGatewayV2::Integration': {
      apply: async (properties, context) => {
        const type = 'AWS::ApiGatewayV2::Integration';
        const parsed = parseProperties(type, context.logicalId, IntegrationProperties, properties);
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
    },
    'AWS::ApiGatewayV2::Authorizer': {
      apply: async (properties, context) => {
        const type = 'AWS::ApiGatewayV2::Authorizer';
        const parsed = parseProperties(type, context.logicalId, AuthorizerProperties, properties);
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
    },
    'AWS::ApiGatewayV2::Route': {
      apply: async (properties, context) => {
        const parsed = parseProperties(
          'AWS::ApiGatewayV2::Route',
          context.logicalId,
          RouteProperties,
          properties,
        );
        if (parsed.RouteKey !== '$default') checkRouteKey(parsed.RouteKey);
        if ((parsed.AuthorizationType === 'JWT') !== (parsed.AuthorizerId !== undefined)) {
          throw new AwsError(
            'ValidationError',
            `Resource ${context.logicalId}: AuthorizerId goes with AuthorizationType JWT, which is ${parsed.AuthorizationType}`,
          );
        }
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
    },
  };
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
  throw new AwsError(
    'ValidationError',
    `IdentitySource must be $request.header.NAME or $request.querystring.NAME, is ${expression}`,
  );
}

function checkRouteKey(key: string): void {
  try {
    parseRouteKey(key);
  } catch (error) {
    throw new AwsError('ValidationError', error instanceof Error ? error.message : String(error));
  }
}
