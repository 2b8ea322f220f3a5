import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { foreignRequest } from '@inferdrop/model-container/internal/foreign-request';
import { AwsError } from '../kernel/aws-error.ts';
import { toKnownError } from '../kernel/known-error.ts';
import { protocolOf } from '../kernel/protocol.ts';
import { sendError } from '../kernel/send-error.ts';
import type { Front, Service, ServiceRequest } from '../kernel/service.ts';
import { watchAnswer } from '../kernel/watch-answer.ts';
import { problemsOf } from '../service-model/check-answer.ts';
import { checkRequest } from '../service-model/check-request.ts';
import { type Arrival, bodyOf, readArrival } from './arrival.ts';
import { authenticate, type Callers, verify } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { parseSignature } from './signature.ts';
import { SignatureRefusal } from './signature-refusal.ts';

interface GatewayOptions extends Callers {
  /** 0 takes any free port. */
  readonly port: number;
  /** In order: the first that matches a request answers it. S3 matches every path, so it comes last. */
  readonly services: readonly Service[];
  /** They come before all services. */
  readonly fronts?: readonly Front[];
  /** Address of a page that a browser is led to which opens the stack's own; undefined if there is none. */
  readonly homePage?: () => string | undefined;
  /** Called in tests with each answer that does not match AWS's own model; without it answers are not checked. */
  readonly onBadAnswer?: (problem: string) => void;
}

/** The server, once it listens. */
export interface Gateway {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Stops listening, then closes the services. */
  close(): Promise<void>;
}

/**
 * Opens the one HTTP port of the stack, on the loopback interface only.
 *
 * @throws the server's error, such as `EADDRINUSE`, once the services are closed: one that is open keeps the process alive
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (incoming, response) => {
    void serve(options, incoming, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => resolve());
  }).catch(async (error: unknown) => {
    await closeServices(options.services);
    throw error;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the gateway listens on no port');
  return {
    port: address.port,
    endpoint: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await closeServices(options.services);
    },
  };
}

async function closeServices(services: readonly Service[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const service of services) {
    try {
      await service.close();
    } catch (error) {
      // Work that the other services have started would keep the process alive, in a folder that is no longer its own.
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
}

async function serve(
  options: GatewayOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const arrival = readArrival(incoming);
  const front = options.fronts?.find((candidate) => candidate.match(arrival));
  const foreign = foreignRequest(arrival.headers, (origin) => front?.allowsOrigin(arrival, origin) ?? false);
  if (foreign !== undefined) return refuseForeign(options, arrival, response, foreign);
  if (front === undefined && isPageVisit(arrival)) return showHint(options, response);
  if (front) {
    const body = bodyOf(incoming, front.largestBodyBytes);
    return serveFront(options, front, { ...arrival, body }, response);
  }
  try {
    const request = await authenticate(options, arrival);
    const service = options.services.find((candidate) => candidate.match(request));
    if (service === undefined) throw noService(options.services, request);
    if (request.signingService === 's3') refuseForeignScope(service);
    await authorize(options.roles, service, request);
    const call = request.accessKeyId === undefined ? undefined : service.callOf(request);
    if (call) await checkRequest(call, request);
    const { onBadAnswer } = options;
    if (call && onBadAnswer)
      watchAnswer(response, (answer) => {
        for (const problem of problemsOf(call, answer)) onBadAnswer(problem);
      });
    await service.answer(request, response);
  } catch (thrown) {
    const error =
      thrown instanceof SignatureRefusal
        ? thrown.toAwsError(protocolOf(arrival))
        : toKnownError(thrown, 'InvalidRequest');
    // Once the head is sent, breaking the connection is the only signal left.
    if (response.headersSent) response.destroy();
    else sendError(response, arrival, error);
  }
}

/** A person who has opened the stack's address in a browser. */
function isPageVisit({ method, path, rawQuery, headers }: Arrival): boolean {
  return (
    method === 'GET' &&
    path === '/' &&
    rawQuery === '' &&
    headers['authorization'] === undefined &&
    headers['accept']?.includes('text/html') === true
  );
}

function showHint({ site, services, homePage }: GatewayOptions, response: ServerResponse): void {
  const home = homePage?.();
  if (home !== undefined) {
    response.writeHead(302, { location: home, 'cache-control': 'no-store' });
    response.end();
    return;
  }
  const names = services.map(({ name }) => name).sort();
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>AWS on this machine</title><h1>AWS on this machine</h1>
<p>This address answers programs, and has no pages: ${names.join(', ')}.</p>
<p>Set <code>AWS_ENDPOINT_URL=${site.endpoint()}</code> and the access key that the stack has printed, then use the AWS CLI or an SDK.</p>`,
  );
}

function refuseForeign(
  { site }: GatewayOptions,
  arrival: Arrival,
  response: ServerResponse,
  reason: string,
): void {
  const message = `${reason}. The local stack answers programs, and pages of its own, at ${site.endpoint()}`;
  response.setHeader('connection', 'close');
  sendError(response, arrival, new AwsError('AccessDenied', message, { statusCode: 403 }));
}

/** A front answers everything itself; only a defect of the stack comes here. */
async function serveFront(
  options: GatewayOptions,
  front: Front,
  arrival: Arrival,
  response: ServerResponse,
): Promise<void> {
  try {
    await front.answer(
      {
        ...arrival,
        verifySignature: async () => {
          const signature = parseSignature(arrival.headers, arrival.query);
          if (signature) await verify(options, arrival, signature);
          return signature;
        },
      },
      response,
    );
  } catch (thrown) {
    const error = toKnownError(thrown, 'InvalidRequest');
    if (response.headersSent) response.destroy();
    else sendError(response, { ...arrival, signingService: 'execute-api' }, error);
  }
}

/**
 * A signature for S3 need not cover the body, and one in an address covers no header: the holder of a presigned link could
 * otherwise call any other service in its signer's name.
 */
function refuseForeignScope({ name }: Service): void {
  if (name !== 's3')
    throw new SignatureRefusal(
      'mismatch',
      `Credential should be scoped to correct service: the signature is for s3, the request for ${name}`,
    );
}

function noService(services: readonly Service[], request: ServiceRequest): AwsError {
  const asked =
    request.headers['x-amz-target'] ??
    (request.form ? `${request.form.get('Action')} of version ${request.form.get('Version')}` : undefined) ??
    `${request.method} ${request.path} (signed for ${request.signingService ?? 'no service'})`;
  return new AwsError(
    request.form ? 'InvalidAction' : 'UnknownOperationException',
    `No service of the local stack answers ${asked}. It offers: ${services.map(({ name }) => name).join(', ')}`,
  );
}
