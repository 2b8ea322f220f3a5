import { DescribeTransformJobCommand } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import type { JobFault } from '../../sagemaker/faults.ts';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
afterEach(() => stack.close());

async function withFault(fault: JobFault) {
  stack = await localTransforms(() => 'ok', { faults: { job: () => fault } });
  for (const key of ['a', 'b', 'c']) stack.objects.put(`in/${key}`, key);
  return stack.run('faulty');
}

test('no capacity', async () => {
  const job = await withFault('capacity');
  expect(job.FailureReason).toBe(
    'CapacityError: Unable to provision requested ML compute capacity. Please retry using a different ML instance type.',
  );
  expect(job.TransformStartTime).toBeUndefined();
});

test('a job that fails with nothing', async () => {
  expect((await withFault('nothing')).FailureReason).toBe(
    'InternalServerError: We encountered an internal error. Please try again.',
  );
  expect(stack.objects.created).toEqual([]);
});

test('a job that is stopped leaves no output', async () => {
  const job = await withFault('stopped');
  expect(job.TransformJobStatus).toBe('Stopped');
  expect(job.FailureReason).toBeUndefined();
  expect(stack.objects.created.length).toBeGreaterThan(0);
  expect([...stack.objects.list('bucket', 'out/')]).toEqual([]);
  expect(stack.events.map(({ detail }) => detail['TransformJobStatus'])).toEqual([
    'InProgress',
    'Stopping',
    'Stopped',
  ]);
});

test.each([
  ['throttle' as const, 'ThrottlingException', 'Rate exceeded'],
  [
    'limit' as const,
    'ResourceLimitExceeded',
    "The account-level service limit 'ml.g4dn.xlarge for transform job usage'",
  ],
])('%s refuses the call', async (fault, name, message) => {
  await expect(withFault(fault)).rejects.toMatchObject({ name, message: expect.stringContaining(message) });
  const job = stack.client.send(new DescribeTransformJobCommand({ TransformJobName: 'faulty' }));
  await expect(job).rejects.toMatchObject({ name: 'ResourceNotFound' });
});

test('a poisoned object fails, the others do not', async () => {
  stack = await localTransforms(() => 'ok', {
    faults: { object: (key) => (key === 'in/b' ? 'poison' : undefined) },
  });
  for (const key of ['a', 'b', 'c']) stack.objects.put(`in/${key}`, key);
  expect((await stack.run('poison')).FailureReason).toBe('AlgorithmError: See job logs for more information');
  expect([...stack.objects.created].sort()).toEqual(['out/a.out', 'out/c.out']);
});
