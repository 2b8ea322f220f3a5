import * as z from 'zod';

/** The fields that this application reads of an HTTP API event (payload format 2.0). Header names are in lower case. */
export const HttpRequest = z.object({
  version: z.literal('2.0'),
  routeKey: z.string(),
  rawPath: z.string(),
  rawQueryString: z.string().default(''),
  headers: z.record(z.string(), z.string()).default({}),
  pathParameters: z.record(z.string(), z.string()).default({}),
  queryStringParameters: z.record(z.string(), z.string()).default({}),
  requestContext: z
    .object({
      /** Claims of the caller's token, all of them as text; absent if the request has AWS's signature. */
      authorizer: z
        .object({ jwt: z.object({ claims: z.record(z.string(), z.string()).nullish() }).optional() })
        .optional(),
    })
    .default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
});
export type HttpRequest = z.infer<typeof HttpRequest>;

/** The response that Lambda returns to the HTTP API. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

/** The bytes of a request, base64-encoded by API Gateway or not. */
export function bodyOf({ body = '', isBase64Encoded }: HttpRequest): Uint8Array {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/** An answer in JSON. */
export function jsonResponse(
  statusCode: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}
