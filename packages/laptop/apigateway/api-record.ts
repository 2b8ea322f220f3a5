import * as z from 'zod';

/** Cross-origin settings of an API, as CloudFormation names them. */
export const CorsConfiguration = z.strictObject({
  AllowCredentials: z.boolean().optional(),
  AllowHeaders: z.array(z.string()).optional(),
  AllowMethods: z.array(z.string()).optional(),
  AllowOrigins: z.array(z.string()).optional(),
  ExposeHeaders: z.array(z.string()).optional(),
  MaxAge: z.number().optional(),
});
export type CorsConfiguration = z.infer<typeof CorsConfiguration>;

/** An HTTP API as it is kept on disk. A `disabled` one (`DisableExecuteApiEndpoint`) answers every request with 404. */
export const Api = z.object({
  apiId: z.string(),
  name: z.string(),
  description: z.string().optional(),
  cors: CorsConfiguration.optional(),
  disabled: z.boolean(),
  createdMs: z.number(),
});
export type Api = z.infer<typeof Api>;

/** Requests that a route takes: `ratePerSecond` in the long run, `burst` at once. */
export const Throttling = z.object({
  ratePerSecond: z.number().optional(),
  burst: z.number().optional(),
});
export type Throttling = z.infer<typeof Throttling>;

/** A stage of an API: how its requests are throttled and logged, and the `stageVariables` that the function sees. */
export const Stage = z.object({
  apiId: z.string(),
  /** `$default` has no segment of its own in addresses. */
  name: z.string(),
  defaultThrottling: Throttling,
  /** Limits by route key. */
  routeThrottling: z.record(z.string(), Throttling),
  accessLog: z.object({ group: z.string(), format: z.string() }).optional(),
  variables: z.record(z.string(), z.string()),
});
export type Stage = z.infer<typeof Stage>;

/** The function behind routes of an API, by name or ARN, and the longest wait for its answer, 50..30,000 ms. */
export const Integration = z.object({
  apiId: z.string(),
  integrationId: z.string(),
  functionTarget: z.string(),
  timeoutMs: z.number(),
});
export type Integration = z.infer<typeof Integration>;

/** Issuer of the JSON Web Tokens that let a caller in, and the place of the token in a request. */
export const Authorizer = z.object({
  apiId: z.string(),
  authorizerId: z.string(),
  name: z.string(),
  /** `header` or `querystring` and its name, in the order they are looked at. */
  identitySource: z.array(z.object({ from: z.enum(['header', 'querystring']), name: z.string() })),
  issuer: z.string(),
  audience: z.array(z.string()),
});
export type Authorizer = z.infer<typeof Authorizer>;

/** A route of an API: the requests that it takes, what their callers must show, and the integration that answers. */
export const Route = z.object({
  apiId: z.string(),
  routeId: z.string(),
  /** `POST /predict/{pipeline}`, `ANY /{proxy+}` or `$default`. */
  routeKey: z.string(),
  integrationId: z.string(),
  authorization: z.enum(['NONE', 'AWS_IAM', 'JWT']),
  /** Authorizer of a route with `JWT` alone. */
  authorizerId: z.string().optional(),
  /** The token must have one of these; an empty list asks for none. */
  scopes: z.array(z.string()),
});
export type Route = z.infer<typeof Route>;
