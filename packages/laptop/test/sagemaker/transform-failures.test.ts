import { afterEach, expect, test } from 'vitest';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
afterEach(() => stack.close());

const retries = (InvocationsMaxRetries: number) => ({
  ModelClientConfig: { InvocationsTimeoutInSeconds: 60, InvocationsMaxRetries },
});

test('a refused object fails the job, keeps the good outputs, and is explained in the data log', async () => {
  stack = await localTransforms(({ body }) => (body === 'bad' ? { status: 400, body: 'no\nimage' } : 'ok'));
  for (const body of ['good', 'bad']) stack.objects.put(`in/${body}`, body);
  const job = await stack.run('client-error');
  expect(job).toMatchObject({
    TransformJobStatus: 'Failed',
    FailureReason: 'ClientError: See job logs for more information',
  });
  expect(stack.objects.created).toEqual(['out/good.out']);
  const lines = stack.logLines
    .filter((line) => line.includes('/data-log: '))
    .map((line) => line.split('[sagemaker logs]: ')[1]);
  expect(lines).toEqual([
    'MaxConcurrentTransforms=4, MaxPayloadInMB=6, BatchStrategy=SINGLE_RECORD',
    'bucket/in/bad: ClientError: 400',
    'bucket/in/bad: ',
    'bucket/in/bad: Message:',
    'bucket/in/bad: no',
    'bucket/in/bad: image',
  ]);
});

test('an error of the container is tried again, then fails the job as its own', async () => {
  stack = await localTransforms(() => ({ status: 500 }));
  stack.objects.put('in/a', 'a');
  const job = await stack.run('algorithm-error', retries(2));
  expect(job.FailureReason).toBe('AlgorithmError: See job logs for more information');
  expect(stack.invocations).toHaveLength(3);
  expect(stack.logLines.join('\n')).toContain('bucket/in/a: Bad HTTP status received from algorithm: 500');
});

test('an error that passes costs nothing but the second try', async () => {
  stack = await localTransforms(() => (stack.invocations.length === 1 ? { status: 503 } : 'ok'));
  stack.objects.put('in/a', 'a');
  expect((await stack.run('passing', retries(1))).TransformJobStatus).toBe('Completed');
});

test('a broken connection is no answer', async () => {
  stack = await localTransforms(() => undefined);
  stack.objects.put('in/a', 'a');
  expect((await stack.run('broken')).FailureReason).toBe('AlgorithmError: See job logs for more information');
  expect(stack.logLines.join('\n')).toContain('bucket/in/a: Unable to get response from algorithm');
});

test('a container that never answers is left after the timeout', async () => {
  stack = await localTransforms(() => new Promise(() => undefined));
  stack.objects.put('in/a', 'a');
  const job = await stack.run('timeout', {
    ModelClientConfig: { InvocationsTimeoutInSeconds: 1, InvocationsMaxRetries: 0 },
  });
  expect(job.FailureReason).toBe('AlgorithmError: See job logs for more information');
  expect(stack.logLines.join('\n')).toContain(
    'Model server did not respond to /invocations request within 1 seconds',
  );
});

test('an output bucket that is not there fails the job', async () => {
  stack = await localTransforms(() => 'ok');
  stack.objects.put('in/a', 'a');
  const job = await stack.run('no-bucket', { TransformOutput: { S3OutputPath: 's3://nowhere/out' } });
  expect(job.FailureReason).toContain('bucket nowhere does not exist');
});

test('invalid execution parameters fail the job', async () => {
  stack = await localTransforms(() => 'ok', { get: () => 'whatever' });
  stack.objects.put('in/a', 'a');
  expect((await stack.run('parameters')).FailureReason).toMatch(/^AlgorithmError: \/execution-parameters/);
});

test('a container that breaks off instead of giving its execution parameters fails the job', async () => {
  stack = await localTransforms(() => 'ok', { get: (path) => (path === '/ping' ? '' : undefined) });
  stack.objects.put('in/a', 'a');
  expect((await stack.run('parameters')).FailureReason).toMatch(/^AlgorithmError: \/execution-parameters/);
});
