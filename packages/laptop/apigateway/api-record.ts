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

export const Api = z.object({
  apiId: z.string(),
  name: z.string(),
  description: z.string().optional(),
  cors: CorsConfiguration.optional(),
  disabled: z.boolean(),
  createdMs: z.number(),
});
export type Api = z.infer<typeof Api>;

/** How many requests a route takes: `ratePerSecond` in the long run, `burst` at once. */
export const Throttling = z.object({
  ratePerSecond: z.number().optional(),
  burst: z.number().optional(),
});
export type Throttling = z.infer<typeof Throttling>;

export const Stage = z.object({
  apiId: z.string(),
  /** `$default` has no segment of its own in addresses. */
  name: z.string(),
  defaultThrottling: Throttling,
  /** By route key. */
  routeThrottling: z.record(z.string(), Throttling),
  accessLog: z.object({ group: z.string(), format: z.string() }).optional(),
  variables: z.record(z.string(), z.string()),
});
export type Stage = z.infer<typeof Stage>;

export const Integration = z.object({
  apiId: z.string(),
  integrationId: z.string(),
  functionTarget: z.string(),
  timeoutMs: z.number(),
});
export type Integration = z.infer<typeof Integration>;

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

export const Route = z.object({
  apiId: z.string(),
  routeId: z.string(),
  /** `POST /predict/{pipeline}`, `ANY /{proxy+}` or `$default`. */
  routeKey: z.string(),
  integrationId: z.string(),
  authorization: z.enum(['NONE', 'AWS_IAM', 'JWT']),
  authorizerId: z.string().optional(),
  scopes: z.array(z.string()),
});
export type Route = z.infer<typeof Route>;
