import type { Clock } from '../kernel/clock.ts';
import type { LogWriter, MetricWriter } from '../kernel/ports.ts';
import type { FrontRequest, Site } from '../kernel/service.ts';
import { domainOf } from './address.ts';
import type { Stage } from './api-record.ts';
import type { Journey } from './journey.ts';
import type { ProxyAnswer } from './proxy-answer.ts';
import { toLogTime } from './request-facts.ts';

/** Values of `$context` when a request finishes, by the name after the dot; `-` stands for a missing value. */
type AccessContext = Readonly<Record<string, string | number | undefined>>;

/** Writes a stage's access log in the format that the template gives. */
function writeAccessLog(logs: LogWriter, clock: Clock, stage: Stage, context: AccessContext): void {
  if (stage.accessLog === undefined) return;
  const line = stage.accessLog.format.replace(/\$context\.([a-zA-Z0-9._]+)/g, (_, name: string) =>
    escape(String(context[name] ?? '-')),
  );
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  logs.write(stage.accessLog.group, `${stage.apiId}/${stage.name}/${day}`, line);
}

/** Formats are mostly JSON with the variables in quotation marks. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface AccountOptions {
  readonly site: Site;
  readonly clock: Clock;
  readonly logs: LogWriter;
  readonly metrics: MetricWriter;
}

/** Counts a request that has been answered, and writes it into the stage's access log. */
export function account(
  { site, clock, logs, metrics }: AccountOptions,
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
  for (const dimensions of [{ ApiId: stage.apiId }, { ApiId: stage.apiId, Stage: stage.name }])
    metrics.put('AWS/ApiGateway', dimensions, values);
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
    responseLength: Buffer.byteLength(body),
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
