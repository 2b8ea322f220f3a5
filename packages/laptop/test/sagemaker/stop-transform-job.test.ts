import {
  CreateTransformJobCommand,
  DescribeTransformJobCommand,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { expect, test } from 'vitest';
import { jobInput, localTransforms } from './local-sagemaker.ts';

test('a job that hangs is stopped at once', async () => {
  const asked = Promise.withResolvers<void>();
  const stack = await localTransforms(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  stack.objects.put('in/a', 'a');
  await stack.client.send(new CreateTransformJobCommand(jobInput('hanging')));
  await asked.promise;
  const { $metadata: _, ...answer } = await stack.client.send(
    new StopTransformJobCommand({ TransformJobName: 'hanging' }),
  );
  expect(answer).toEqual({});
  await stack.idle();
  const job = await stack.client.send(new DescribeTransformJobCommand({ TransformJobName: 'hanging' }));
  expect(job.TransformJobStatus).toBe('Stopped');
  await stack.close();
});
