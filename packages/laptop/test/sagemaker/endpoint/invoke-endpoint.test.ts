import { afterEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

let stack: LocalEndpoints;
afterEach(() => stack.close());

test('the container gets body, types and attributes; the caller its answer and the variant', async () => {
  stack = await localEndpoints({
    answer: () => ({ body: 'out', contentType: 'text/csv' }),
  });
  await stack.deploy();
  const Body = Uint8Array.from([0, 255, 10, 13]);
  const answer = await stack.invoke(Body, {
    ContentType: 'application/x-image',
    Accept: 'text/csv',
    CustomAttributes: 'a=b',
    InferenceId: 'id-1',
  });
  expect(answer).toMatchObject({
    text: 'out',
    ContentType: 'text/csv',
    InvokedProductionVariant: 'AllTraffic',
  });
  expect(stack.invocations[0]?.bytes).toEqual(Buffer.from(Body));
  expect(stack.invocations[0]?.headers).toMatchObject({
    'content-type': 'application/x-image',
    accept: 'text/csv',
    'x-amzn-sagemaker-custom-attributes': 'a=b',
    'x-amzn-sagemaker-inference-id': 'id-1',
  });
});

test('an endpoint that is not there is a ValidationError', async () => {
  stack = await localEndpoints();
  await expect(stack.invoke()).rejects.toMatchObject({
    name: 'ValidationError',
    message: 'Endpoint endpoint of account 000000000000 not found.',
    $metadata: { httpStatusCode: 400 },
  });
});

test('an error of the container is a ModelError that carries its status and text', async () => {
  stack = await localEndpoints({ answer: () => ({ status: 400, body: '{"error": "no"}' }) });
  await stack.deploy();
  await expect(stack.invoke()).rejects.toMatchObject({
    name: 'ModelError',
    OriginalStatusCode: 400,
    OriginalMessage: '{"error": "no"}',
    LogStreamArn: 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/sagemaker/Endpoints/endpoint',
    message: expect.stringMatching(
      /^Received client error \(400\) from primary with message "\{"error": "no"\}"\. See https:/,
    ),
    $metadata: { httpStatusCode: 424 },
  });
});

test('an error that is not text is reported without its body', async () => {
  stack = await localEndpoints({ answer: () => ({ status: 500, body: Buffer.from([0xff, 0xfe]) }) });
  await stack.deploy();
  await expect(stack.invoke()).rejects.toMatchObject({
    OriginalStatusCode: 500,
    message: expect.stringMatching(
      /^Received server error \(500\) from primary and could not load the entire response body\./,
    ),
  });
});

test('a broken connection is a ModelError with status 0', async () => {
  stack = await localEndpoints({ answer: () => undefined });
  await stack.deploy();
  await expect(stack.invoke()).rejects.toMatchObject({ name: 'ModelError', OriginalStatusCode: 0 });
});

test('a body of 6 MiB is taken, one byte more is not', async () => {
  stack = await localEndpoints({ answer: ({ bytes }) => String(bytes.length) });
  await stack.deploy();
  expect((await stack.invoke(new Uint8Array(6_291_456))).text).toBe('6291456');
  await expect(stack.invoke(new Uint8Array(6_291_457))).rejects.toMatchObject({
    name: 'ValidationError',
    message:
      "1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have length less than or equal to 6291456",
  });
});

test('attributes over 1,024 characters are refused', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await expect(stack.invoke('{}', { CustomAttributes: 'a'.repeat(1025) })).rejects.toMatchObject({
    name: 'ValidationError',
  });
});

test('what chooses something that the stack does not have is refused by name', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await expect(stack.invoke('{}', { TargetModel: 'a.tar.gz' })).rejects.toThrow('TargetModel');
});

test('an unsigned call is refused', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  const answer = await fetch(`${stack.endpoint}/endpoints/endpoint/invocations`, {
    method: 'POST',
    body: '{}',
  });
  expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([
    403,
    'MissingAuthenticationTokenException',
  ]);
});

test('every invocation is measured under endpoint and variant', async () => {
  stack = await localEndpoints({ answer: ({ body }) => ({ status: Number(body), body: 'x' }) });
  await stack.deploy();
  await stack.invoke('200');
  await stack.invoke('404').catch(() => undefined);
  await stack.invoke('500').catch(() => undefined);
  expect(stack.measured.map(({ dimensions }) => dimensions)).toEqual(
    Array(3).fill({ EndpointName: 'endpoint', VariantName: 'AllTraffic' }),
  );
  expect(stack.measured.map(({ values }) => values)).toMatchObject([
    {
      Invocations: 1,
      Invocation4XXErrors: 0,
      Invocation5XXErrors: 0,
      ModelLatency: expect.any(Number),
      OverheadLatency: expect.any(Number),
    },
    { Invocations: 1, Invocation4XXErrors: 1, Invocation5XXErrors: 0 },
    { Invocations: 1, Invocation4XXErrors: 0, Invocation5XXErrors: 1 },
  ]);
});

test('a request in the hands of a container that dies is a ModelError', async () => {
  stack = await localEndpoints({ answer: () => new Promise(() => undefined) });
  await stack.deploy();
  const lost = expect(stack.invoke()).rejects.toMatchObject({ name: 'ModelError', OriginalStatusCode: 0 });
  await until(() => stack.invocations.length === 1);
  stack.kill(0);
  await lost;
});

test('a container that dies is replaced, and requests wait for the next one', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  stack.kill(0);
  const answer = stack.invoke();
  await stack.advanceUntil(() => stack.specs.length === 2);
  expect((await answer).text).toBe('1');
});
