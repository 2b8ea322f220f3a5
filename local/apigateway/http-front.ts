import type { ServerResponse } from 'node:http';
import { AwsError } from '../gateway/aws-error.ts';
import type { Clock } from '../gateway/clock.ts';
import { toKnownError } from '../gateway/known-error.ts';
import type { FunctionInvoker, LogWriter, MetricWriter } from '../gateway/ports.ts';
import type { Front, FrontRequest, Site } from '../gateway/service.ts';
import type { AccessContext } from './access-log.ts';
import { writeAccessLog } from './access-log.ts';
import type { ApiAddress } from './address.ts';
import { domainOf, parseApiAddress } from './address.ts';
import type { Api, Route, Stage } from './api-record.ts';
import type { ApiStore } from './api-store.ts';
import { memberKey } from './api-store.ts';
import type { CallerAuthorizer } from './authorization.ts';
import { withinBodyTime } from './body-deadline.ts';
import { authorizeIam } from './authorize-iam.ts';
import { authorizeJwt } from './authorize-jwt.ts';
import { toCorsHeaders, toPreflightHeaders } from './cors.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { toLogTime } from './log-time.ts';
import type { ProxyAnswer } from './proxy-answer.ts';
import { toProxyAnswer } from './proxy-answer.ts';
import { toProxyEvent } from './proxy-event.ts';
import { readRequestHeaders } from './request-headers.ts';
import type { Throttle } from './throttle.ts';

export interface HttpFrontOptions {
  readonly site: Site;
  readonly clock: Clock;
  readonly store: ApiStore;
  readonly functions: FunctionInvoker;
  readonly logs: LogWriter;
  readonly metrics: MetricWriter;
  readonly keys: IssuerKeys;
  readonly throttle: Throttle;
}

/** 10 MB for a request to API Gateway; what it makes of it must fit the 6 MB of a function's call. */
const LARGEST_BODY_BYTES = 10_485_760;
const LARGEST_EVENT_BYTES = 6_291_456;

/** What is learned of a request on its way, for log and metrics. */
interface Journey {
  stage?: Stage;
  route?: Route;
  path: string;
  authorizer?: CallerAuthorizer;
  authorizerError?: string;
  integrationMs?: number;
  integrationError?: string;
}

/** Answers requests to the stack's HTTP APIs: address, stage, route, throttling, authorization, function, answer. */
export function createHttpFront(options: HttpFrontOptions): Front {
  const { clock, store } = options;
  return {
    largestBodyBytes: LARGEST_BODY_BYTES,
    match: ({ path, headers }) => parseApiAddress(headers['host'], path) !== undefined,
    async answer(request, response) {
      const startedMs = performance.now();
      const timeMs = clock.now();
      const address = parseApiAddress(request.headers['host'], request.path) ?? { apiId: '', path: '/' };
      const api = store.apis.get(address.apiId);
      const journey: Journey = { path: address.path };
      const answer = await answerOrRefuse(options, api, address, request, journey, timeMs);
      const cors = toCorsHeaders(api?.cors, request.headers['origin']);
      send(response, request, { ...answer, headers: { ...answer.headers, ...cors } });
      const latencyMs = performance.now() - startedMs;
      if (journey.stage) account(options, journey.stage, journey, request, answer, timeMs, latencyMs);
    },
  };
}

async function answerOrRefuse(
  options: HttpFrontOptions,
  api: Api | undefined,
  address: ApiAddress,
  request: FrontRequest,
  journey: Journey,
  timeMs: number,
): Promise<ProxyAnswer> {
  try {
    if (!api || api.disabled) throw new GatewayRefusal(404, `there is no API ${address.apiId}`);
    return await answerRequest(options, api, address, request, journey, timeMs);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.statusCode === 401 || refusal.statusCode === 403) journey.authorizerError = refusal.reason;
    else journey.integrationError = refusal.reason;
    return {
      statusCode: refusal.statusCode,
      headers: { 'content-type': 'application/json', ...refusal.headers },
      body: Buffer.from(JSON.stringify({ message: refusal.message })),
    };
  }
}

async function answerRequest(
  options: HttpFrontOptions,
  api: Api,
  { path }: ApiAddress,
  request: FrontRequest,
  journey: Journey,
  timeMs: number,
): Promise<ProxyAnswer> {
  checkEncoding(path, request.rawQuery);
  const [stage, rest] = findStage(options.store, api, path);
  journey.stage = stage;
  if (api.cors && request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
    return { statusCode: 204, headers: toPreflightHeaders(api.cors), body: Buffer.alloc(0) };
  }
  const match = options.store.routerOf(api.apiId)(request.method, rest);
  if (!match) throw new GatewayRefusal(404, `no route matches ${request.method} ${rest}`);
  const { route, pathParameters } = match;
  journey.route = route;
  if (!options.throttle.admits(stage, route.routeKey)) {
    throw new GatewayRefusal(429, `the throttling limit of ${route.routeKey} is reached`);
  }
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > LARGEST_BODY_BYTES)
    throw tooLarge(`the body has ${declared} bytes, at most ${LARGEST_BODY_BYTES}`);
  // A signature covers the body, so to verify one is to read it.
  const authorizer = await withinBodyTime(options.clock, authorize(options, route, request));
  if (authorizer) journey.authorizer = authorizer;
  const event = toProxyEvent({
    ...readRequestHeaders(request.incoming.rawHeaders),
    site: options.site,
    apiId: api.apiId,
    stage: stage.name,
    stageVariables: stage.variables,
    routeKey: route.routeKey,
    method: request.method,
    path,
    rawQuery: request.rawQuery,
    pathParameters,
    body: await withinBodyTime(options.clock, request.body()),
    sourceIp: request.incoming.socket.remoteAddress ?? '127.0.0.1',
    requestId: request.requestId,
    timeMs,
    authorizer,
  });
  const payload = Buffer.from(JSON.stringify(event));
  if (payload.length > LARGEST_EVENT_BYTES) {
    throw tooLarge(`the event has ${payload.length} bytes, a function takes at most ${LARGEST_EVENT_BYTES}`);
  }
  return toProxyAnswer(await invoke(options, route, payload, journey));
}

/** The longest time that an integration may take is its own; the function goes on when it is over, as in AWS. */
async function invoke(
  { store, functions, clock }: HttpFrontOptions,
  route: Route,
  payload: Buffer,
  journey: Journey,
): ReturnType<FunctionInvoker['invoke']> {
  const integration = store.integrations.get(memberKey(route.apiId, route.integrationId));
  if (!integration) throw new GatewayRefusal(500, `route ${route.routeKey} has no integration`);
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(integration.timeoutMs, () =>
    late.reject(new GatewayRefusal(503, `the function did not answer within ${integration.timeoutMs} ms`)),
  );
  const startedMs = performance.now();
  const answered = functions.invoke(integration.functionTarget, payload);
  answered.catch(() => undefined);
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    cancel();
    journey.integrationMs = performance.now() - startedMs;
  }
}

async function authorize(
  options: HttpFrontOptions,
  route: Route,
  request: FrontRequest,
): Promise<CallerAuthorizer | undefined> {
  if (route.authorization === 'NONE') return undefined;
  if (route.authorization === 'AWS_IAM') return authorizeIam(options.site, request);
  const authorizer = options.store.authorizers.get(memberKey(route.apiId, route.authorizerId ?? ''));
  if (!authorizer) throw new GatewayRefusal(500, `route ${route.routeKey} has no authorizer`);
  return authorizeJwt(options, authorizer, route, request);
}

/** The first segment is a stage's name, or all of the path is for `$default`. */
function findStage({ stages }: ApiStore, { apiId }: Api, path: string): readonly [Stage, string] {
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
  const named = first === '' ? undefined : stages.get(memberKey(apiId, decodeURIComponent(first)));
  if (named && named.name !== '$default') return [named, rest === '' ? '/' : rest];
  const fallback = stages.get(memberKey(apiId, '$default'));
  if (!fallback) throw new GatewayRefusal(404, `there is no stage ${first} and no $default`);
  return [fallback, path];
}

function checkEncoding(path: string, rawQuery: string): void {
  try {
    decodeURIComponent(path);
    decodeURIComponent(rawQuery);
  } catch {
    throw new GatewayRefusal(400, 'the address is not percent-encoded UTF-8');
  }
}

function tooLarge(reason: string): GatewayRefusal {
  return new GatewayRefusal(413, reason, { connection: 'close' });
}

function toRefusal(error: unknown): GatewayRefusal {
  if (error instanceof GatewayRefusal) return error;
  if (error instanceof AwsError && error.code === 'RequestEntityTooLarge') return tooLarge(error.message);
  if (error instanceof AwsError && error.code === 'TooManyRequestsException')
    return new GatewayRefusal(503, error.message);
  const known = toKnownError(error, 'InvalidRequest');
  return new GatewayRefusal(500, known.message);
}

function send(response: ServerResponse, request: FrontRequest, answer: ProxyAnswer): void {
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
  response.writeHead(answer.statusCode, {
    ...Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : [...value],
      ]),
    ),
    ...(hasBody && { 'content-length': answer.body.length }),
    'apigw-requestid': request.requestId,
  });
  response.end(hasBody && request.method !== 'HEAD' ? answer.body : undefined);
  // What a refused caller still sends must not be taken for the next request.
  if (answer.statusCode === 413) request.incoming.resume();
  if (answer.statusCode === 408) response.once('finish', () => request.incoming.destroy());
}

function account(
  { site, clock, logs, metrics }: HttpFrontOptions,
  stage: Stage,
  journey: Journey,
  request: FrontRequest,
  { statusCode, body }: ProxyAnswer,
  timeMs: number,
  latencyMs: number,
): void {
  const { route, authorizer, integrationMs } = journey;
  const values = {
    Count: 1,
    '4xx': statusCode >= 400 && statusCode < 500 ? 1 : 0,
    '5xx': statusCode >= 500 ? 1 : 0,
    Latency: Math.round(latencyMs),
    ...(integrationMs === undefined ? {} : { IntegrationLatency: Math.round(integrationMs) }),
  };
  for (const dimensions of [{ ApiId: stage.apiId }, { ApiId: stage.apiId, Stage: stage.name }]) {
    metrics.put('AWS/ApiGateway', dimensions, values);
  }
  const iam = authorizer && 'iam' in authorizer ? authorizer.iam : {};
  const claims = authorizer && 'jwt' in authorizer ? authorizer.jwt.claims : {};
  const integrationLatency = integrationMs === undefined ? undefined : Math.round(integrationMs);
  const context: AccessContext = {
    accountId: site.account,
    apiId: stage.apiId,
    domainName: domainOf(stage.apiId, site.region),
    domainPrefix: stage.apiId,
    httpMethod: request.method,
    path: journey.path,
    protocol: 'HTTP/1.1',
    requestId: request.requestId,
    extendedRequestId: request.requestId,
    requestTime: toLogTime(timeMs),
    requestTimeEpoch: timeMs,
    responseLatency: Math.round(latencyMs),
    responseLength: body.length,
    routeKey: route?.routeKey,
    stage: stage.name,
    status: statusCode,
    'authorizer.error': journey.authorizerError,
    'error.message': journey.authorizerError ?? journey.integrationError,
    integrationErrorMessage: journey.integrationError,
    'integration.error': journey.integrationError,
    integrationLatency,
    'integration.latency': integrationLatency,
    integrationStatus: integrationMs === undefined ? undefined : 200,
    'identity.sourceIp': request.incoming.socket.remoteAddress,
    'identity.userAgent': request.headers['user-agent'],
    'identity.caller': text(iam['callerId']),
    'identity.user': text(iam['userId']),
    'identity.userArn': text(iam['userArn']),
    ...Object.fromEntries(
      Object.entries(claims).map(([name, value]) => [`authorizer.claims.${name}`, value]),
    ),
  };
  writeAccessLog(logs, clock, stage, context);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
