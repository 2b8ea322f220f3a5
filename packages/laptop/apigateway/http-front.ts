import { AwsError } from '../kernel/aws-error.ts';
import { type Clock, within } from '../kernel/clock.ts';
import { toKnownError } from '../kernel/known-error.ts';
import type { ServiceAccess } from '../kernel/permission.ts';
import type { FunctionInvoker, LogWriter, MetricWriter } from '../kernel/ports.ts';
import type { Front, FrontRequest, Site } from '../kernel/service.ts';
import { account } from './account.ts';
import { type ApiAddress, parseApiAddress } from './address.ts';
import type { Api, Route } from './api-record.ts';
import type { ApiStore } from './api-store.ts';
import { authorize } from './authorize.ts';
import type { ApiCallers } from './authorize-iam.ts';
import { toCorsHeaders, toPreflightHeaders } from './cors.ts';
import { findStage } from './find-stage.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { Journey } from './journey.ts';
import { type ProxyAnswer, sendAnswer, toProxyAnswer } from './proxy-answer.ts';
import { toProxyEvent } from './proxy-event.ts';
import { readRequestHeaders } from './request-facts.ts';
import { callArn, invocationArn, runIntegration } from './run-integration.ts';
import type { Throttle } from './throttle.ts';

interface HttpFrontOptions {
  readonly site: Site;
  readonly clock: Clock;
  readonly store: ApiStore;
  readonly functions: FunctionInvoker;
  /** Whether a function's policy lets an API in. */
  readonly access: ServiceAccess;
  readonly callers?: ApiCallers;
  readonly logs: LogWriter;
  readonly metrics: MetricWriter;
  readonly keys: IssuerKeys;
  readonly throttle: Throttle;
}

/** 10 MB for a request to API Gateway; the event made from it must fit the 6 MB of a function's call. */
const MAX_BODY_BYTES = 10_485_760;
const MAX_EVENT_BYTES = 6_291_456;
/** Time for a body: as long as an integration may take. */
const BODY_TIME_MS = 30_000;

/** Answers requests to the stack's HTTP APIs: address, stage, route, throttling, authorization, function, answer. */
export function createHttpFront(options: HttpFrontOptions): Front {
  const { clock, store } = options;
  return {
    largestBodyBytes: MAX_BODY_BYTES,
    match: ({ path, headers }) => parseApiAddress(headers['host'], path) !== undefined,
    allowsOrigin({ path, headers }, origin) {
      const address = parseApiAddress(headers['host'], path);
      const cors = address && store.apis.get(address.apiId)?.cors;
      return toCorsHeaders(cors, origin)['access-control-allow-origin'] !== undefined;
    },
    async answer(request, response) {
      const startedMs = performance.now();
      const timeMs = clock.now();
      const address = parseApiAddress(request.headers['host'], request.path) ?? { apiId: '', path: '/' };
      const api = store.apis.get(address.apiId);
      const journey: Journey = { path: address.path };
      const answer = await answerOrRefuse(options, api, address, request, journey, timeMs);
      const cors = toCorsHeaders(api?.cors, request.headers['origin']);
      sendAnswer(response, request, { ...answer, headers: { ...answer.headers, ...cors } });
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
    if (!api || api.disabled) throw new GatewayRefusal(404, `API ${address.apiId} does not exist`);
    return await answerRequest(options, api, address, request, journey, timeMs);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.statusCode === 401 || refusal.statusCode === 403) journey.authorizerError = refusal.reason;
    else journey.integrationError = refusal.reason;
    return {
      statusCode: refusal.statusCode,
      headers: { 'content-type': 'application/json', ...refusal.headers },
      body: JSON.stringify({ message: refusal.message }),
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
  if (api.cors && request.method === 'OPTIONS' && request.headers['access-control-request-method'])
    return { statusCode: 204, headers: toPreflightHeaders(api.cors), body: '' };
  const match = options.store.routerOf(api.apiId)(request.method, rest);
  if (!match) throw new GatewayRefusal(404, `no route matches ${request.method} ${rest}`);
  const { route, pathParameters } = match;
  journey.route = route;
  if (!options.throttle.admits(stage, route.routeKey))
    throw new GatewayRefusal(429, `the throttling limit of ${route.routeKey} is reached`);
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_BODY_BYTES) throw tooLarge(`the body has ${declared} bytes, at most ${MAX_BODY_BYTES}`);
  const resource = callArn(options.site, stage, request.method, rest);
  const work = readAuthorized(options, route, request, journey, resource);
  const body = await within(options.clock, BODY_TIME_MS, work, bodyTooLate);
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
    body,
    sourceIp: request.incoming.socket.remoteAddress ?? '127.0.0.1',
    port: request.incoming.socket.localPort ?? 0,
    requestId: request.requestId,
    timeMs,
    authorizer: journey.authorizer,
  });
  const payload = Buffer.from(JSON.stringify(event));
  if (payload.length > MAX_EVENT_BYTES)
    throw tooLarge(`the event has ${payload.length} bytes, a function takes at most ${MAX_EVENT_BYTES}`);
  const sourceArn = invocationArn(options.site, stage, route, request.method);
  return toProxyAnswer(await runIntegration(options, route, payload, sourceArn, journey));
}

/** The body of an admitted request. A signature covers it, so verifying the signature reads it. */
async function readAuthorized(
  options: HttpFrontOptions,
  route: Route,
  request: FrontRequest,
  journey: Journey,
  resource: string,
): Promise<Buffer> {
  const authorizer = await authorize(options, route, request, resource);
  if (authorizer) journey.authorizer = authorizer;
  return request.body();
}

function checkEncoding(path: string, rawQuery: string): void {
  try {
    decodeURIComponent(path);
    decodeURIComponent(rawQuery);
  } catch {
    throw new GatewayRefusal(400, 'the address is not percent-encoded UTF-8');
  }
}

/** The refusal of callers who send a body byte by byte. */
function bodyTooLate(): GatewayRefusal {
  return new GatewayRefusal(408, `the body did not arrive within ${BODY_TIME_MS / 1000} seconds`, {
    connection: 'close',
  });
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
