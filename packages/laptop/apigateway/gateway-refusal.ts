/** A request that API Gateway answers itself. The caller sees only `{"message": …}`; the access log has the reason. */
export class GatewayRefusal extends Error {
  readonly statusCode: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: keyof typeof MESSAGES,
    reason: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(MESSAGES[statusCode]);
    this.name = 'GatewayRefusal';
    this.statusCode = statusCode;
    this.reason = reason;
    this.headers = headers;
  }
}

/** HTTP APIs have one text a status. */
const MESSAGES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** `requestContext.authorizer` of an event. */
export type CallerAuthorizer =
  | { readonly iam: Readonly<Record<string, unknown>> }
  | {
      readonly jwt: {
        readonly claims: Readonly<Record<string, string>>;
        readonly scopes: readonly string[] | null;
      };
    };
