import type { Site } from '../kernel/service.ts';
import { domainOf } from './address.ts';
import type { CallerAuthorizer } from './gateway-refusal.ts';
import { type RequestHeaders, toLogTime } from './request-facts.ts';

/** The parts of a request that a function receives. */
export interface ProxyRequest extends RequestHeaders {
  readonly site: Site;
  readonly apiId: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>>;
  readonly routeKey: string;
  readonly method: string;
  /** Percent-encoded as on the wire, with the stage's segment if it has one. */
  readonly path: string;
  readonly rawQuery: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly sourceIp: string;
  /** Port that received the request. */
  readonly port: number;
  readonly requestId: string;
  readonly timeMs: number;
  readonly authorizer: CallerAuthorizer | undefined;
}

/** The event of payload format 2.0. */
export function toProxyEvent(request: ProxyRequest): Readonly<Record<string, unknown>> {
  const { site, apiId, headers, cookies, body } = request;
  const domainName = domainOf(apiId, site.region);
  const isText = isTextType(headers['content-type']);
  const query = toQueryParameters(request.rawQuery);
  return {
    version: '2.0',
    routeKey: request.routeKey,
    rawPath: decodeURIComponent(request.path),
    rawQueryString: request.rawQuery,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      'content-length': String(body.length),
      'x-forwarded-for': request.sourceIp,
      'x-forwarded-port': String(request.port),
      'x-forwarded-proto': 'http',
    },
    ...(query && { queryStringParameters: query }),
    requestContext: {
      accountId: site.account,
      apiId,
      ...(request.authorizer && { authorizer: request.authorizer }),
      domainName,
      domainPrefix: apiId,
      http: {
        method: request.method,
        path: decodeURIComponent(request.path),
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey: request.routeKey,
      stage: request.stage,
      time: toLogTime(request.timeMs),
      timeEpoch: request.timeMs,
    },
    ...(Object.keys(request.pathParameters).length > 0 && { pathParameters: request.pathParameters }),
    ...(Object.keys(request.stageVariables).length > 0 && { stageVariables: request.stageVariables }),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Types with bodies that reach a function as text; all others go as Base64, forms and multipart among them. */
function isTextType(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return /^text\/|^application\/(json|javascript|xml)$|^application\/[^;]+\+(json|xml)$/.test(type);
}

/** Repeated names are joined by commas. Undefined if there is no query. */
function toQueryParameters(rawQuery: string): Readonly<Record<string, string>> | undefined {
  if (rawQuery === '') return undefined;
  const joined: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQuery))
    joined[name] = Object.hasOwn(joined, name) ? `${joined[name]},${value}` : value;
  return joined;
}
