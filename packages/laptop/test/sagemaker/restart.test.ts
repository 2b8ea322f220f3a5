import {
  CreateModelCommand,
  CreateTransformJobCommand,
  DescribeModelCommand,
  DescribeTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { expect, test } from 'vitest';
import { fakeContainers } from '../support/fake-container.ts';
import { IMAGE, jobInput, localSageMaker, ROLE } from './local-sagemaker.ts';

test('models survive a restart; a job that ran is failed, with an event', async () => {
  const asked = Promise.withResolvers<void>();
  const hanging = fakeContainers(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const before = await localSageMaker({ startContainer: hanging.start });
  before.objects.put('in/a', 'a');
  await before.client.send(
    new CreateModelCommand({
      ModelName: 'model',
      PrimaryContainer: { Image: IMAGE },
      ExecutionRoleArn: ROLE,
    }),
  );
  await before.client.send(new CreateTransformJobCommand(jobInput('interrupted')));
  await asked.promise;
  await before.close();

  const after = await localSageMaker({ dir: before.dir });
  expect(await after.client.send(new DescribeModelCommand({ ModelName: 'model' }))).toMatchObject({
    ModelName: 'model',
  });
  const job = await after.client.send(new DescribeTransformJobCommand({ TransformJobName: 'interrupted' }));
  expect(job).toMatchObject({
    TransformJobStatus: 'Failed',
    FailureReason: 'InternalServerError: We encountered an internal error. Please try again.',
  });
  expect(after.events.map(({ detail }) => detail['TransformJobStatus'])).toEqual(['Failed']);
  await after.close();
});
