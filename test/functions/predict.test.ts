import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { handler } from '../../functions/predict.ts';
import { CONTEXT, setFunctionEnvironment } from '../support/function-environment.ts';
import { servedVariant } from '../support/served-variant.ts';

const event = JSON.parse(readFileSync('events/predict.image.json', 'utf8'));
/** A request to a pipeline of its own: the function remembers what serves one. */
const eventOf = (pipeline: string) => ({
  ...event,
  rawPath: `/predict/${pipeline}`,
  pathParameters: { pipeline },
});
const SERVED = {
  schema: 1,
  pipeline: 'clothes',
  endpointName: 'inferdrop-dev-clothes-0123456789ab',
  status: 'in-service',
  live: 'v1',
  variants: { v1: servedVariant({ topK: 1 }) },
  deployedAt: '2026-03-02T09:15:07.120Z',
  expiresAt: null,
  idleHours: null,
  warnedAt: null,
  warnedOf: null,
  owner: null,
  autoscaling: null,
  hourlyUsd: null,
  maxHourlyUsd: null,
};

interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const requests: Seen[] = [];
const lines: string[] = [];
let invoke: (response: ServerResponse) => void;

/** S3 with the one object, and SageMaker Runtime. */
const server = createServer((request, response) => {
  const { method, url, headers } = request;
  requests.push({ method, path: url, headers });
  request.resume();
  request.on('end', () => {
    if (method === 'GET') response.setHeader('etag', '"1"').end(JSON.stringify(SERVED));
    else invoke(response);
  });
});
beforeAll(async () => {
  setFunctionEnvironment();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests.length = 0;
  lines.length = 0;
  const keep = (...args: unknown[]) => void lines.push(JSON.stringify(args));
  vi.spyOn(console, 'info').mockImplementation(keep);
  vi.spyOn(console, 'error').mockImplementation(keep);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => {
  delete process.env.AWS_ENDPOINT_URL;
  server.closeAllConnections();
  server.close();
});

it('answers with the classes of what serves, by one request each to S3 and to the endpoint', async () => {
  invoke = (response) => {
    response.setHeader('x-amzn-invoked-production-variant', 'v1');
    response.end('{"predictions":[[0.1,0.9]]}');
  };
  const { statusCode, body } = await handler(eventOf('clothes'), CONTEXT);
  expect([statusCode, JSON.parse(body).predictions[0].label]).toEqual([200, 'bag']);
  // The API's access log has a line for each request.
  expect(lines).toEqual([]);
  const [read, asked, ...more] = requests;
  expect(more).toEqual([]);
  expect([read?.method, read?.path]).toEqual(['GET', '/inferdrop-bucket/endpoints/clothes/served.json']);
  expect(read?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/us-east-1\/s3\/aws4_request/);
  expect([asked?.method, asked?.path]).toEqual(['POST', `/endpoints/${SERVED.endpointName}/invocations`]);
  expect(asked?.headers).toMatchObject({
    'content-type': 'application/x-image',
    accept: 'application/json',
    authorization: expect.stringContaining('/us-east-1/sagemaker/aws4_request'),
  });
});

it('tells a container error as 424, and logs neither input nor answer nor its words', async () => {
  const secret = 'the customer is Jane Doe';
  invoke = (response) => {
    response.writeHead(424, { 'x-amzn-errortype': 'ModelError' });
    response.end(
      JSON.stringify({
        Message: `Received client error (400) with message "${secret}"`,
        OriginalStatusCode: 400,
        OriginalMessage: secret,
      }),
    );
  };
  const request = { ...eventOf('shoes'), body: Buffer.from(secret).toString('base64') };
  const { statusCode, headers, body } = await handler(request, CONTEXT);
  expect([statusCode, headers['content-type']]).toEqual([424, 'application/problem+json']);
  expect(JSON.parse(body).detail).toContain(secret);
  expect(lines.join('\n')).not.toContain('Jane');
  expect(lines.join('\n')).not.toContain(request.body);
  expect(lines.join('\n')).toContain('REQUEST_REFUSED');
});

it('answers an unexpected error as 500 without its message', async () => {
  invoke = (response) => void response.writeHead(418).end('inner secrets');
  const { statusCode, body } = await handler(eventOf('hats'), CONTEXT);
  expect(statusCode).toBe(500);
  expect(body).not.toContain('secrets');
});
