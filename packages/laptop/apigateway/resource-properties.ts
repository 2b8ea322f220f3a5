import * as z from 'zod';
import { booleanProperty, jsonTextProperty, numberProperty } from '../cloudformation/property-values.ts';

const Tags = z.record(z.string(), z.string());

const Strings = z.array(z.string());

/** Properties of `AWS::ApiGatewayV2::Api`. `Version`, `IpAddressType` and `Tags` are accepted and not kept. */
export const ApiProperties = z.strictObject({
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
  Tags: Tags.optional(),
});

/** Throttling of a stage's routes: `ThrottlingRateLimit` in requests a second, `ThrottlingBurstLimit` in requests at once. */
export const RouteSettings = z.strictObject({
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

/** Properties of `AWS::ApiGatewayV2::Stage`; `RouteSettings` go by route key. `Description` and `Tags` are accepted and not kept. */
export const StageProperties = z.strictObject({
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

/** Properties of `AWS::ApiGatewayV2::Integration`. `IntegrationMethod` and `Description` are accepted and not kept. */
export const IntegrationProperties = z.strictObject({
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

/** Properties of `AWS::ApiGatewayV2::Authorizer`. An identity source is `$request.header.NAME` or `$request.querystring.NAME`. */
export const AuthorizerProperties = z.strictObject({
  ApiId: z.string(),
  Name: z.string(),
  AuthorizerType: z.literal('JWT', { error: 'this stack authorizes by JWT or AWS_IAM, not by functions' }),
  IdentitySource: Strings.min(1),
  JwtConfiguration: z.strictObject({ Issuer: z.string(), Audience: Strings.min(1) }),
});

/** Properties of `AWS::ApiGatewayV2::Route`; `AuthorizerId` goes with `JWT` alone. `OperationName` is accepted and not kept. */
export const RouteProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().regex(/^integrations\/.+$/, 'must be integrations/<id>'),
  AuthorizationType: z.enum(['NONE', 'AWS_IAM', 'JWT']).default('NONE'),
  AuthorizerId: z.string().optional(),
  AuthorizationScopes: Strings.default([]),
  OperationName: z.string().optional(),
  ApiKeyRequired: booleanProperty.pipe(z.literal(false, { error: 'HTTP APIs have no API keys' })).optional(),
});
