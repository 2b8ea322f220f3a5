import { readFileSync } from 'node:fs';
import { InvokeEndpointCommand, ModelError, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { handler } from '../../functions/predict.ts';
import { CONTEXT, setFunctionEnvironment } from '../support/function-environment.ts';

const runtime = mockClient(SageMakerRuntimeClient);
const event = JSON.parse(readFileSync('events/predict.image.json', 'utf8'));
const SERVED = {
  schema: 1,
  pipeline: 'clothes',
  endpointName: 'inferdrop-dev-clothes-0123456789ab',
  status: 'in-service',
  live: 'v1',
  variants: {
    v1: {
      run: 'clothes/monday/000001',
      configName: 'c',
      modelName: 'm',
      modelSha256: 'a'.repeat(64),
      hardware: '1 × ml.m5.xlarge',
      contentType: 'application/x-image',
      accept: 'application/json',
      classes: ['shoe', 'bag'],
      classOffset: 0,
      topK: 1,
    },
  },
  deployedAt: '2026-03-02T09:15:07.120Z',
  expiresAt: null,
  idleHours: null,
  warnedAt: null,
  owner: null,
  autoscaling: null,
  hourlyUsd: null,
};

const requests: { url: string; headers: Record<string, string> }[] = [];
const lines: string[] = [];
beforeAll(() => {
  setFunctionEnvironment();
  delete process.env.AWS_ENDPOINT_URL;
  vi.stubGlobal('fetch', async (url: URL, { headers }: { headers: Record<string, string> }) => {
    requests.push({ url: String(url), headers });
    return new Response(JSON.stringify(SERVED), { headers: { etag: '"1"' } });
  });
});
beforeEach(() => {
  const keep = (...args: unknown[]) => void lines.push(JSON.stringify(args));
  vi.spyOn(console, 'info').mockImplementation(keep);
  vi.spyOn(console, 'error').mockImplementation(keep);
});
afterEach(() => {
  runtime.reset();
  vi.restoreAllMocks();
});
afterAll(() => {
  runtime.restore();
  vi.unstubAllGlobals();
});

it('answers with the classes of what serves, read by one signed request', async () => {
  runtime.on(InvokeEndpointCommand).resolves({
    Body: Buffer.from('{"predictions":[[0.1,0.9]]}') as any,
    ContentType: 'application/json',
    InvokedProductionVariant: 'v1',
  });
  const { statusCode, body } = await handler(event, CONTEXT);
  expect([statusCode, JSON.parse(body).predictions[0].label]).toEqual([200, 'bag']);
  expect(requests).toHaveLength(1);
  expect(requests[0]!.url).toBe(
    'https://inferdrop-bucket.s3.us-east-1.amazonaws.com/endpoints/clothes/served.json',
  );
  expect(requests[0]!.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/us-east-1\/s3\/aws4_request/);
  const [call] = runtime.commandCalls(InvokeEndpointCommand);
  expect(call!.args[0].input).toMatchObject({
    EndpointName: SERVED.endpointName,
    ContentType: 'application/x-image',
    Accept: 'application/json',
  });
});

it('tells a container error as 424, and logs neither input nor answer nor its words', async () => {
  const secret = 'the customer is Jane Doe';
  runtime.on(InvokeEndpointCommand).rejects(
    new ModelError({
      $metadata: {},
      message: `Received client error (400) with message "${secret}"`,
      OriginalStatusCode: 400,
      OriginalMessage: secret,
    }),
  );
  const request = { ...event, body: Buffer.from(secret).toString('base64') };
  const { statusCode, headers, body } = await handler(request, CONTEXT);
  expect([statusCode, headers['content-type']]).toEqual([424, 'application/problem+json']);
  expect(JSON.parse(body).detail).toContain(secret);
  expect(lines.join('\n')).not.toContain('Jane');
  expect(lines.join('\n')).not.toContain(request.body);
  expect(lines.join('\n')).toContain('REQUEST_REFUSED');
});

it('answers what nobody expected as 500 without its words', async () => {
  runtime.on(InvokeEndpointCommand).rejects(new Error('inner secrets'));
  const { statusCode, body } = await handler(event, CONTEXT);
  expect(statusCode).toBe(500);
  expect(body).not.toContain('secrets');
});
