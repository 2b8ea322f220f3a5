import {
  CreateTransformJobCommand,
  DescribeModelCommand,
  ListModelsCommand,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { expect, test } from 'vitest';
import { AccountLimits } from '../../service-quotas/account-limits.ts';
import { jobInput, localTransforms } from './local-sagemaker.ts';

const on = (InstanceType: 'ml.g4dn.xlarge' | 'ml.m5.xlarge', InstanceCount: number) => ({
  TransformResources: { InstanceType, InstanceCount },
});

test('instances of a type are refused beyond its quota while jobs use them, and come free when these end', async () => {
  const limits = AccountLimits.parse({ transformInstances: { 'ml.g4dn.xlarge': 3, '*': 1 } });
  const stack = await localTransforms(() => new Promise(() => undefined), { limits });
  const create = (name: string, resources: ReturnType<typeof on>) =>
    stack.client.send(new CreateTransformJobCommand(jobInput(name, resources)));
  stack.objects.put('in/a', 'a');
  await create('two', on('ml.g4dn.xlarge', 2));
  await expect(create('more', on('ml.g4dn.xlarge', 2))).rejects.toMatchObject({
    name: 'ResourceLimitExceeded',
    message:
      "The account-level service limit 'ml.g4dn.xlarge for transform job usage' is 3 Instances, with current " +
      'utilization of 2 Instances and a request delta of 2 Instances. ' +
      'Please use AWS Service Quotas to request an increase for this quota. If AWS Service Quotas is not available, ' +
      'contact AWS support to request an increase for this quota.',
  });
  await create('third', on('ml.g4dn.xlarge', 1));
  await create('other-type', on('ml.m5.xlarge', 1));
  for (const TransformJobName of ['two', 'third', 'other-type'])
    await stack.client.send(new StopTransformJobCommand({ TransformJobName }));
  await stack.idle();
  await create('more', on('ml.g4dn.xlarge', 2));
  await stack.close();
});

test('a quota of 0 is reported as such', async () => {
  const limits = AccountLimits.parse({ transformInstances: { 'ml.g4dn.xlarge': 0 } });
  const stack = await localTransforms(() => '', { limits });
  stack.objects.put('in/a', 'a');
  await expect(stack.run('none')).rejects.toMatchObject({
    message: expect.stringContaining(
      'is 0 Instances, with current utilization of 0 Instances and a request delta of 1 Instances.',
    ),
  });
  await stack.close();
});

test('the control plane throttles what comes faster than its rate, each call by itself', async () => {
  const limits = AccountLimits.parse({ sagemakerRequestsPerSecond: 2 });
  const stack = await localTransforms(() => '', { limits });
  const list = () => stack.client.send(new ListModelsCommand({}));
  await list();
  await list();
  await expect(list()).rejects.toMatchObject({
    name: 'ThrottlingException',
    message: 'Rate exceeded',
    $metadata: { httpStatusCode: 400 },
  });
  await stack.client.send(new DescribeModelCommand({ ModelName: 'model' }));
  await stack.clock.advance(499);
  await expect(list()).rejects.toMatchObject({ name: 'ThrottlingException' });
  await stack.clock.advance(1);
  await list();
  await stack.close();
});
