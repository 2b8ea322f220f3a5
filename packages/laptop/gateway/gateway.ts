import { hash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { foreignRequest } from '@inferdrop/model-container/foreign-request';
import { AwsError } from '../kernel/aws-error.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { toKnownError } from '../kernel/known-error.ts';
import type { Roles } from '../kernel/permission.ts';
import { protocolOf } from '../kernel/protocol.ts';
import { sendError } from '../kernel/send-error.ts';
import type { Front, Service, ServiceRequest, Site } from '../kernel/service.ts';
import { watchAnswer } from '../kernel/watch-answer.ts';
import { problemsOf } from '../service-model/check-answer.ts';
import { checkRequest } from '../service-model/check-request.ts';
import { authorize } from './authorize.ts';
import type { ChunkSigning } from './chunk-signing.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';
import { parseSignature, type Signature } from './signature.ts';
import { SignatureRefusal } from './signature-refusal.ts';
import { parseSignatureV2, verifySignatureV2 } from './signature-v2.ts';
import { verifySignature } from './verify-signature.ts';

export interface GatewayOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** In order: the first that matches a request answers it. S3 matches every path, so it comes last. */
  readonly services: readonly Service[];
  /** They come before all services. */
  readonly fronts?: readonly Front[];
  readonly site: Site;
  /** Secrets by access key id, of callers without a role. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Callers whose policies are enforced. */
  readonly roles?: Roles;
  /** Against which signatures are dated; clients sign with real time, so it is the computer's own by default. */
  readonly clock?: Clock;
  /** Called in tests with each answer that does not match AWS's own model; without it answers are not checked. */
  readonly onBadAnswer?: (problem: string) => void;
}

export interface Gateway {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Stops listening, then closes the services. */
  close(): Promise<void>;
}

/** Opens the one HTTP port of the stack, on the loopback interface only. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (incoming, response) => {
    void serve(options, incoming, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => resolve());
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
      let failure: { readonly error: unknown } | undefined;
      for (const service of options.services) {
        try {
          await service.close();
        } catch (error) {
          // Work that the other services have started would keep the process alive, in a folder that is no longer its own.
          failure ??= { error };
        }
      }
      if (failure) throw failure.error;
    },
  };
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
  if (front) {
    const body = bodyOf(incoming, front.largestBodyBytes);
    return serveFront(options, front, { ...arrival, body }, response);
  }
  try {
    const request = await authenticate(options, arrival);
    const service = options.services.find((candidate) => candidate.match(request));
    if (service === undefined) throw nobodyAnswers(options.services, request);
    if (request.signingService === 's3') refuseForeignScope(service);
    await authorize(options.roles, service, request);
    const call = request.accessKeyId === undefined ? undefined : service.callOf(request);
    if (call) await checkRequest(call, request);
    const { onBadAnswer } = options;
    if (call && onBadAnswer) {
      watchAnswer(response, (answer) => {
        for (const problem of problemsOf(call, answer)) onBadAnswer(problem);
      });
    }
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

interface Arrival extends Omit<ServiceRequest, 'accessKeyId' | 'chunkSigning' | 'form' | 'signingService'> {
  readonly rawQuery: string;
  form: URLSearchParams | undefined;
  signingService: string | undefined;
}

function readArrival(incoming: IncomingMessage): Arrival {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const rawQuery = mark < 0 ? '' : url.slice(mark + 1);
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    rawQuery,
    query: new URLSearchParams(rawQuery),
    headers: plainHeaders(incoming),
    body: bodyOf(incoming, MAX_BODY_BYTES),
    incoming,
    requestId: randomUUID(),
    form: undefined,
    signingService: undefined,
  };
}

/** Reads the body when it is first asked for. */
function bodyOf(incoming: IncomingMessage, largestBytes: number): () => Promise<Buffer> {
  let body: Promise<Buffer> | undefined;
  return () => (body ??= readBody(incoming, largestBytes));
}

async function authenticate(options: GatewayOptions, arrival: Arrival): Promise<ServiceRequest> {
  verifyEncoding(arrival);
  if (isForm(arrival)) arrival.form = new URLSearchParams((await arrival.body()).toString('utf8'));
  const legacy = parseSignatureV2(arrival.query);
  if (legacy) {
    arrival.signingService = 's3';
    const expected = {
      secret: secretOf(options, legacy.accessKeyId),
      nowMs: (options.clock ?? systemClock).now(),
    };
    verifySignatureV2(legacy, arrival, expected);
    return { ...arrival, accessKeyId: legacy.accessKeyId, chunkSigning: undefined };
  }
  const signature = parseSignature(arrival.headers, arrival.query);
  arrival.signingService = signature?.service;
  const chunkSigning = signature && (await verify(options, arrival, signature));
  return { ...arrival, accessKeyId: signature?.accessKeyId, chunkSigning };
}

async function verify(
  options: GatewayOptions,
  arrival: Arrival,
  signature: Signature,
): Promise<ChunkSigning> {
  const { site, clock = systemClock } = options;
  return verifySignature(
    signature,
    { ...arrival, payloadHash: await payloadHash(arrival, signature) },
    {
      secret: secretOf(options, signature.accessKeyId),
      region: site.region,
      nowMs: clock.now(),
    },
  );
}

function secretOf({ credentials, roles }: GatewayOptions, accessKeyId: string): string | undefined {
  const ofRole = roles?.secretOf(accessKeyId);
  if (ofRole !== undefined) return ofRole;
  return Object.hasOwn(credentials, accessKeyId) ? credentials[accessKeyId] : undefined;
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

/** S3 bodies stream, so S3 itself compares body and hash; all others are small and are read here. */
async function payloadHash(arrival: Arrival, signature: Signature): Promise<string> {
  const claimed = arrival.query.get('X-Amz-Content-Sha256') ?? arrival.headers['x-amz-content-sha256'];
  if (signature.service === 's3') {
    if (claimed !== undefined) return claimed;
    if (signature.expiresInSeconds !== undefined) return 'UNSIGNED-PAYLOAD';
    throw new SignatureRefusal('malformed', 'Missing required header for this request: x-amz-content-sha256');
  }
  if (claimed === 'UNSIGNED-PAYLOAD') return claimed;
  const actual = hash('sha256', await arrival.body());
  if (claimed !== undefined && claimed !== actual) {
    throw new SignatureRefusal(
      'body-changed',
      `The body's SHA-256 is ${actual}, x-amz-content-sha256 says ${claimed}`,
    );
  }
  return actual;
}

function verifyEncoding(arrival: Arrival): void {
  try {
    decodeURIComponent(arrival.path);
    decodeURIComponent(arrival.rawQuery);
  } catch {
    throw new AwsError(
      'InvalidURI',
      `Couldn't parse the specified URI: ${arrival.path} is not percent-encoded UTF-8`,
    );
  }
}

function isForm({ method, path, headers }: Arrival): boolean {
  return (
    method === 'POST' &&
    path === '/' &&
    (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  );
}

function plainHeaders(incoming: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(',');
  }
  return headers;
}

function nobodyAnswers(services: readonly Service[], request: ServiceRequest): AwsError {
  const asked =
    request.headers['x-amz-target'] ??
    (request.form ? `${request.form.get('Action')} of version ${request.form.get('Version')}` : undefined) ??
    `${request.method} ${request.path} (signed for ${request.signingService ?? 'no service'})`;
  return new AwsError(
    request.form ? 'InvalidAction' : 'UnknownOperationException',
    `No service of the local stack answers ${asked}. It offers: ${services.map(({ name }) => name).join(', ')}`,
  );
}
