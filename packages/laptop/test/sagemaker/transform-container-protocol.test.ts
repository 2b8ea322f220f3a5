import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
afterEach(() => stack.close());

test('the container gets the headers that the service sends', async () => {
  stack = await localTransforms(() => 'ok');
  stack.objects.put('in/é.png', 'image');
  await stack.run('headers');
  expect(stack.invocations[0]?.headers).toMatchObject({
    'content-type': 'application/x-image',
    accept: 'application/json',
    'content-length': '5',
    'accept-encoding': 'gzip',
    'user-agent': 'Go-http-client/1.1',
    'x-amzn-sagemaker-input-object-base64': Buffer.from('bucket/in/é.png').toString('base64'),
  });
});

test('no content type and no accept are sent where the job has none', async () => {
  stack = await localTransforms(() => 'ok');
  stack.objects.put('in/a', 'a');
  await stack.run('bare', {
    TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/in/' } } },
    TransformOutput: { S3OutputPath: 's3://bucket/out' },
  });
  expect(stack.invocations[0]?.headers).not.toHaveProperty('content-type');
  expect(stack.invocations[0]?.headers).not.toHaveProperty('accept');
});

test('a payload without limit goes in chunks', async () => {
  stack = await localTransforms(({ body }) => `${body}!`);
  stack.objects.put('in/a', 'a');
  await stack.run('chunked', { MaxConcurrentTransforms: 1, MaxPayloadInMB: 0 });
  expect(stack.invocations[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
  expect(stack.invocations[0]?.headers).not.toHaveProperty('content-length');
  expect(stack.objects.text('out/a.out')).toBe('a!');
});

test('an answer that the container compressed is stored as it was before', async () => {
  stack = await localTransforms(() => ({ body: gzipSync('answer'), encoding: 'gzip' }));
  stack.objects.put('in/a', 'a');
  await stack.run('compressed');
  expect(stack.objects.text('out/a.out')).toBe('answer');
});

test('an answer that only claims to be compressed is no answer', async () => {
  stack = await localTransforms(() => ({ body: 'plain', encoding: 'gzip' }));
  stack.objects.put('in/a', 'a');
  expect((await stack.run('not-compressed')).FailureReason).toMatch(/^AlgorithmError/);
  expect(stack.logLines.join('\n')).toContain('Unable to get response from algorithm');
});

test("the environment holds what the user gave, the job's over the model's", async () => {
  stack = await localTransforms(() => 'ok', { environment: { A: 'model', B: 'model' } });
  stack.objects.put('in/a', 'a');
  await stack.run('environment', {
    Environment: { B: 'job' },
    MaxPayloadInMB: 5,
    MaxConcurrentTransforms: undefined,
  });
  expect(stack.specs[0]?.environment).toEqual({
    SAGEMAKER_BATCH: 'true',
    SAGEMAKER_MAX_PAYLOAD_IN_MB: '5',
    SAGEMAKER_BATCH_STRATEGY: 'SINGLE_RECORD',
    A: 'model',
    B: 'job',
  });
});

test("the container's execution parameters count where the job has none", async () => {
  let inFlight = 0;
  let most = 0;
  const three = Promise.withResolvers<void>();
  const parameters = '{"MaxConcurrentTransforms":3,"BatchStrategy":"SINGLE_RECORD","MaxPayloadInMB":1}';
  const hold = async () => {
    most = Math.max(most, ++inFlight);
    if (inFlight === 3) three.resolve();
    await three.promise;
    await new Promise((resolve) => setImmediate(resolve));
    inFlight--;
    return 'ok';
  };
  stack = await localTransforms(hold, { get: (path) => (path === '/ping' ? '' : parameters) });
  for (let index = 0; index < 20; index++) stack.objects.put(`in/${index}`, 'x');
  await stack.run('parameters', {
    MaxConcurrentTransforms: undefined,
    MaxPayloadInMB: undefined,
    BatchStrategy: undefined,
  });
  expect(stack.logLines[0]).toContain(
    'MaxConcurrentTransforms=3, MaxPayloadInMB=1, BatchStrategy=SINGLE_RECORD',
  );
  expect(most).toBe(3);
});

test('without either the defaults are one request at a time of 6 MB', async () => {
  stack = await localTransforms(() => 'ok');
  stack.objects.put('in/a', 'x');
  await stack.run('defaults', {
    MaxConcurrentTransforms: undefined,
    MaxPayloadInMB: undefined,
    BatchStrategy: undefined,
  });
  expect(stack.logLines[0]).toContain(
    'MaxConcurrentTransforms=1, MaxPayloadInMB=6, BatchStrategy=MULTI_RECORD',
  );
});

test('a container is not asked before its ping is good', async () => {
  let pings = 0;
  const get = (path: string) => ({ status: path === '/ping' && ++pings > 1 ? 200 : 503 });
  stack = await localTransforms(() => 'ok', { get });
  stack.objects.put('in/a', 'a');
  expect((await stack.run('slow-start')).TransformJobStatus).toBe('Completed');
  expect(pings).toBe(2);
});
