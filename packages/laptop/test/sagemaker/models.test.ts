import {
  AddTagsCommand,
  CreateModelCommand,
  DeleteModelCommand,
  DescribeModelCommand,
  ListModelsCommand,
  ListTagsCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IMAGE, localSageMaker, ROLE } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localSageMaker>>;
beforeAll(async () => {
  stack = await localSageMaker();
});
afterAll(() => stack.close());

const create = (ModelName: string, more: Partial<ConstructorParameters<typeof CreateModelCommand>[0]> = {}) =>
  stack.client.send(
    new CreateModelCommand({
      ModelName,
      PrimaryContainer: { Image: IMAGE },
      ExecutionRoleArn: ROLE,
      ...more,
    }),
  );

test('a model is described as it was created', async () => {
  const VpcConfig = { SecurityGroupIds: ['sg-1'], Subnets: ['subnet-1'] };
  const PrimaryContainer = {
    Image: IMAGE,
    ModelDataUrl: 's3://bucket/model.tar.gz',
    Environment: { A: '1' },
  };
  const { ModelArn } = await create('Described', { PrimaryContainer, VpcConfig });
  expect(ModelArn).toBe('arn:aws:sagemaker:us-east-1:000000000000:model/described');
  const model = await stack.client.send(new DescribeModelCommand({ ModelName: 'Described' }));
  expect(model).toMatchObject({
    ModelName: 'Described',
    ModelArn,
    PrimaryContainer,
    VpcConfig,
    ExecutionRoleArn: ROLE,
    EnableNetworkIsolation: false,
    CreationTime: new Date(stack.clock.now()),
  });
});

test('what CreateModel left out is described with its default', async () => {
  await create('plain');
  const { PrimaryContainer } = await stack.client.send(new DescribeModelCommand({ ModelName: 'plain' }));
  expect(PrimaryContainer).toEqual({ Image: IMAGE, Mode: 'SingleModel', Environment: {} });
});

test('a name that is taken is refused', async () => {
  await create('taken');
  await expect(create('taken')).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Cannot create already existing model "arn:aws:sagemaker:us-east-1:000000000000:model/taken".',
  });
});

test('a deleted model is gone', async () => {
  await create('short-lived');
  await stack.client.send(new DeleteModelCommand({ ModelName: 'short-lived' }));
  await expect(
    stack.client.send(new DescribeModelCommand({ ModelName: 'short-lived' })),
  ).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Could not find model "arn:aws:sagemaker:us-east-1:000000000000:model/short-lived".',
  });
});

test('models are listed page by page, filtered by name', async () => {
  for (const number of [1, 2, 3]) await create(`paged-${number}`);
  const list = (NextToken?: string) =>
    stack.client.send(
      new ListModelsCommand({
        NameContains: 'paged',
        MaxResults: 2,
        SortBy: 'Name',
        SortOrder: 'Ascending',
        NextToken,
      }),
    );
  const first = await list();
  expect(first.Models?.map(({ ModelName }) => ModelName)).toEqual(['paged-1', 'paged-2']);
  const second = await list(first.NextToken);
  expect(second.Models?.map(({ ModelName }) => ModelName)).toEqual(['paged-3']);
  expect(second.NextToken).toBeUndefined();
});

test('models that come and go between two pages neither repeat nor hide others', async () => {
  for (const number of [3, 4, 5, 6, 7]) await create(`moving-${number}`);
  const list = async (NextToken?: string) => {
    const order = { SortBy: 'Name', SortOrder: 'Ascending' } as const;
    const page = new ListModelsCommand({ NameContains: 'moving', MaxResults: 2, ...order, NextToken });
    const { Models = [], NextToken: next } = await stack.client.send(page);
    return { names: Models.map(({ ModelName }) => ModelName), next };
  };
  const first = await list();
  expect(first.names).toEqual(['moving-3', 'moving-4']);
  await create('moving-1');
  const second = await list(first.next);
  expect(second.names).toEqual(['moving-5', 'moving-6']);
  await stack.client.send(new DeleteModelCommand({ ModelName: 'moving-6' }));
  expect((await list(second.next)).names).toEqual(['moving-7']);
});

test('a token that no list gave is refused', async () => {
  for (const NextToken of ['x', Buffer.from('[0]').toString('base64url')]) {
    await expect(stack.client.send(new ListModelsCommand({ NextToken }))).rejects.toMatchObject({
      name: 'ValidationException',
      message: `Invalid NextToken: ${NextToken}`,
    });
  }
});

test('tags are added, replaced and listed', async () => {
  const { ModelArn: ResourceArn } = await create('tagged', { Tags: [{ Key: 'a', Value: '1' }] });
  const Tags = [
    { Key: 'a', Value: '2' },
    { Key: 'b', Value: '3' },
  ];
  await stack.client.send(new AddTagsCommand({ ResourceArn, Tags }));
  expect((await stack.client.send(new ListTagsCommand({ ResourceArn }))).Tags).toEqual(Tags);
});

test('an odd name is refused in the words of AWS', async () => {
  await expect(create('-odd')).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      "1 validation error detected: Value '-odd' at 'modelName' failed to satisfy constraint: Member must satisfy " +
      'regular expression pattern: [a-zA-Z0-9]([\\-a-zA-Z0-9]*[a-zA-Z0-9])?',
  });
});
