import { request as httpRequest } from 'node:http';
import type { ApiCallers } from '../../apigateway/authorize-iam.ts';
import { type ApiGateway, createApiGateway } from '../../apigateway/service.ts';
import type { InvokeResult } from '../../kernel/ports.ts';
import { localGateway, localSite } from '../support/local-gateway.ts';
import { manualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly bytes: Buffer;
}

interface RouteSettings {
  readonly AuthorizationType?: string;
  readonly AuthorizationScopes?: string[];
  readonly jwt?: { readonly Issuer: string; readonly Audience: string[] };
}

/** An HTTP API on a free port whose function answers as the test says; by default with its event. */
export async function localApi(
  options: {
    readonly dir?: string;
    readonly routes?: Readonly<Record<string, RouteSettings>>;
    readonly stage?: Record<string, unknown>;
    readonly api?: Record<string, unknown>;
    readonly timeoutMs?: number;
    readonly answer?: (event: any) => unknown;
    readonly invoke?: (target: string, payload: Buffer) => Promise<InvokeResult>;
    readonly credentials?: Record<string, string>;
    readonly callers?: ApiCallers;
  } = {},
) {
  const clock = manualClock(Date.now());
  const events: any[] = [];
  const logLines: string[] = [];
  const metrics: Readonly<Record<string, number>>[] = [];
  let endpoint = 'http://127.0.0.1:0';
  const site = { ...localSite, endpoint: () => endpoint };
  const answered = async (_target: string, payload: Buffer): Promise<InvokeResult> => {
    const event: unknown = JSON.parse(payload.toString());
    events.push(event);
    const result = options.answer ? await options.answer(event) : { event };
    return { payload: Buffer.from(JSON.stringify(result) ?? 'null'), requestId: 'id' };
  };
  const apigateway: ApiGateway = createApiGateway({
    dir: options.dir ?? temporaryFolder('apigateway-'),
    site,
    clock,
    functions: {
      invoke: options.invoke ?? answered,
      invokeLater: () => undefined,
    },
    ...(options.callers && { callers: options.callers }),
    logs: { write: (group, _stream, line) => void logLines.push(`${group}: ${line}`) },
    metrics: { put: (_namespace, _dimensions, values) => void metrics.push(values) },
  });
  const gateway = await localGateway(() => [], {
    fronts: [apigateway.front],
    clock,
    ...(options.credentials && { credentials: options.credentials }),
  });
  endpoint = gateway.endpoint;

  const make = (type: string, logicalId: string, properties: Record<string, unknown>) =>
    apigateway.resources[`AWS::ApiGatewayV2::${type}`]!.apply(properties, {
      stackName: 'stack',
      logicalId,
      physicalId: undefined,
      site,
    });
  const api = await make('Api', 'Api', { Name: 'api', ProtocolType: 'HTTP', ...options.api });
  const ApiId = api.ref;
  await make('Stage', 'Stage', { ApiId, StageName: '$default', AutoDeploy: true, ...options.stage });
  const integration = await make('Integration', 'Integration', {
    ApiId,
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: 'arn:aws:lambda:us-east-1:000000000000:function:echo',
    PayloadFormatVersion: '2.0',
    TimeoutInMillis: options.timeoutMs ?? 29_000,
  });
  for (const [RouteKey, { jwt, ...route }] of Object.entries(options.routes ?? { $default: {} })) {
    const authorizer =
      jwt &&
      (await make('Authorizer', `Authorizer ${RouteKey}`, {
        ApiId,
        Name: 'jwt',
        AuthorizerType: 'JWT',
        IdentitySource: ['$request.header.Authorization'],
        JwtConfiguration: jwt,
      }));
    await make('Route', RouteKey, {
      ApiId,
      RouteKey,
      Target: `integrations/${integration.ref}`,
      ...(authorizer && { AuthorizationType: 'JWT', AuthorizerId: authorizer.ref }),
      ...route,
    });
  }
  const url = String(api.attributes['ApiEndpoint']);
  return {
    ApiId,
    url,
    gateway,
    clock,
    events,
    logLines,
    metrics,
    make,
    /** Sends bytes as they are: no client that tidies paths or headers is in the way. */
    call: (call: Call = {}): Promise<Answer> => send(url, call),
    close: () => gateway.close(),
  };
}

export type LocalApi = Awaited<ReturnType<typeof localApi>>;

/** One request; a relative path goes below the API's address, a whole one (`//…` is relative, too) is sent as it is. */
export function send(url: string, { method = 'GET', path = '/', headers = {}, body }: Call): Promise<Answer> {
  const base = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: base.hostname,
        port: base.port,
        method,
        path: `${base.pathname === '/' ? '' : base.pathname}${path}`,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: bytes.toString(),
            bytes,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
