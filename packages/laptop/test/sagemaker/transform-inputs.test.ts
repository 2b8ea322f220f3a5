import type { CreateTransformJobCommandInput } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
beforeEach(async () => {
  await stack?.close();
  stack = await localTransforms(({ body }) => `<${body}>`);
});
afterAll(() => stack.close());

const input = (
  S3DataType: 'S3Prefix' | 'ManifestFile',
  S3Uri: string,
): Partial<CreateTransformJobCommandInput> => ({
  TransformInput: { DataSource: { S3DataSource: { S3DataType, S3Uri } } },
});
const outputs = () => [...stack.objects.created].sort();

test.each([
  ['s3://bucket/in/', ['out/a.png.out', 'out/deep/b.png.out']],
  ['s3://bucket/in', ['out/a.png.out', 'out/deep/b.png.out', 'out/in-other/c.png.out']],
  ['s3://bucket/in/a.png', ['out/a.png.out']],
  ['s3://bucket/in/de', ['out/deep/b.png.out']],
])('outputs of %s', async (uri, expected) => {
  for (const key of ['in/a.png', 'in/deep/b.png', 'in/folder/', 'in-other/c.png', 'elsewhere'])
    stack.objects.put(key, key);
  await stack.run('prefix', input('S3Prefix', uri));
  expect(outputs()).toEqual(expected);
});

test('a manifest names the objects, each taken once', async () => {
  for (const key of ['in/a b.png', 'in/é/b.png', 'in/not-listed']) stack.objects.put(key, key, 'other');
  stack.objects.put(
    'manifest',
    JSON.stringify([{ prefix: 's3://other/in/' }, 'a b.png', 'é/b.png', 'a b.png']),
  );
  const job = await stack.run('manifest', input('ManifestFile', 's3://bucket/manifest'));
  expect(job.TransformJobStatus).toBe('Completed');
  expect(outputs()).toEqual(['out/a b.png.out', 'out/é/b.png.out']);
});

test('an object that a manifest names and that is gone fails the job; the others have their output', async () => {
  stack.objects.put('in/here', 'x');
  stack.objects.put('manifest', JSON.stringify([{ prefix: 's3://bucket/in/' }, 'gone', 'here']));
  const job = await stack.run('missing', input('ManifestFile', 's3://bucket/manifest'));
  expect(job).toMatchObject({
    TransformJobStatus: 'Failed',
    FailureReason: 'ClientError: See job logs for more information',
  });
  expect(outputs()).toEqual(['out/here.out']);
  expect(stack.logLines.join('\n')).toContain('bucket/in/gone: ClientError: 404');
});

test.each([
  '{"prefix":"s3://bucket/in/"}',
  '[{"prefix":"in/"},"a"]',
  '[{"prefix":"s3://bucket/in/"},7]',
  'no json',
])('a manifest of another form fails the job: %s', async (manifest) => {
  stack.objects.put('manifest', manifest);
  const job = await stack.run('malformed', input('ManifestFile', 's3://bucket/manifest'));
  expect(job.TransformJobStatus).toBe('Failed');
  expect(job.FailureReason).toMatch(/^ClientError: s3:\/\/bucket\/manifest: /);
});

test('an empty object gives an empty output without asking the container', async () => {
  stack.objects.put('in/empty', '');
  const job = await stack.run('empty');
  expect(job.TransformJobStatus).toBe('Completed');
  expect(stack.objects.text('out/empty.out')).toBe('');
  expect(stack.invocations).toEqual([]);
});

test('an instance whose container ends takes the others with it', async () => {
  for (const key of ['a', 'b']) stack.objects.put(`in/${key}`, key);
  stack.breakNext();
  const job = await stack.run('half', {
    TransformResources: { InstanceType: 'ml.m5.large', InstanceCount: 2 },
  });
  expect(job.FailureReason).toContain('(the container ended: out of memory)');
  expect(stack.objects.created).toEqual([]);
});

test('every instance is a container of its own, with its own part of the objects', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) stack.objects.put(`in/${key}`, key);
  const job = await stack.run('two', {
    TransformResources: { InstanceType: 'ml.m5.large', InstanceCount: 2 },
  });
  expect(job.TransformJobStatus).toBe('Completed');
  const byContainer = Map.groupBy(stack.invocations, ({ container }) => container);
  expect([...byContainer.values()].map((part) => part.map(({ body }) => body).sort())).toEqual([
    ['a', 'c', 'e'],
    ['b', 'd'],
  ]);
});
