import {
  CreateEndpointConfigCommand,
  UpdateEndpointWeightsAndCapacitiesCommand,
} from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

let stack: LocalEndpoints;
afterEach(() => stack.close());

/** Two variants of one model with these weights; containers start in their order. */
async function deployTwo(weights: readonly [number, number]): Promise<void> {
  await stack.makeModel('model');
  await stack.client.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: 'config',
      ProductionVariants: weights.map((InitialVariantWeight, index) => ({
        VariantName: `v${index}`,
        ModelName: 'model',
        InstanceType: 'ml.m5.xlarge',
        InitialInstanceCount: 1,
        InitialVariantWeight,
      })),
    }),
  );
  await stack.create('config');
  await stack.idle();
}

test('requests go to variants in proportion to their weights', async () => {
  let turn = 0;
  stack = await localEndpoints({ random: () => (turn++ % 10) / 10 });
  await deployTwo([3, 1]);
  const variants: (string | undefined)[] = [];
  for (let i = 0; i < 10; i++) variants.push((await stack.invoke()).InvokedProductionVariant);
  expect(variants.filter((name) => name === 'v0')).toHaveLength(8);
});

test('a target variant is asked whatever its weight', async () => {
  stack = await localEndpoints();
  await deployTwo([1, 0]);
  expect((await stack.invoke('{}', { TargetVariant: 'v1' })).InvokedProductionVariant).toBe('v1');
});

test('a target variant that is not there is a ValidationError', async () => {
  stack = await localEndpoints();
  await deployTwo([1, 1]);
  await expect(stack.invoke('{}', { TargetVariant: 'v9' })).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('Variant v9 not found'),
  });
});

test('weights and numbers of instances are changed without another configuration', async () => {
  stack = await localEndpoints();
  await deployTwo([1, 0]);
  await stack.client.send(
    new UpdateEndpointWeightsAndCapacitiesCommand({
      EndpointName: 'endpoint',
      DesiredWeightsAndCapacities: [
        { VariantName: 'v0', DesiredWeight: 0 },
        { VariantName: 'v1', DesiredWeight: 1, DesiredInstanceCount: 2 },
      ],
    }),
  );
  await stack.idle();
  expect((await stack.invoke()).InvokedProductionVariant).toBe('v1');
  expect((await stack.describe()).ProductionVariants).toMatchObject([
    { CurrentWeight: 0, CurrentInstanceCount: 1 },
    { CurrentWeight: 1, CurrentInstanceCount: 2 },
  ]);
});

test('a request goes to the instance with the least to do', async () => {
  const held = Promise.withResolvers<void>();
  stack = await localEndpoints({
    answer: async ({ container, body }) => {
      if (body === 'slow') await held.promise;
      return String(container);
    },
  });
  await stack.deploy({ InitialInstanceCount: 2 });
  const slow = stack.invoke('slow');
  await stack.advanceUntil(() => stack.invocations.length === 1);
  const [busy] = stack.invocations.map(({ container }) => container);
  const quick = [await stack.invoke(), await stack.invoke()].map(({ text }) => Number(text));
  held.resolve();
  await slow;
  expect(quick).toEqual([1 - busy!, 1 - busy!]);
});

test('an accelerator of Elastic Inference is refused as AWS refuses it today', async () => {
  stack = await localEndpoints();
  await stack.makeModel('model');
  await expect(stack.makeConfig('config', { AcceleratorType: 'ml.eia1.medium' })).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('AcceleratorType ml.eia1.medium'),
  });
});

test('with legacy Elastic Inference an accelerator is taken, and an -eia image runs as the plain one', async () => {
  stack = await localEndpoints({ legacyElasticInference: true });
  const Image = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference-eia:2.3.0-cpu';
  await stack.makeModel('model', { Image });
  await stack.makeConfig('config', { AcceleratorType: 'ml.eia1.medium' });
  await stack.create('config');
  await stack.idle();
  expect(await stack.describe()).toMatchObject({
    EndpointStatus: 'InService',
    ProductionVariants: [{ DeployedImages: [{ SpecifiedImage: Image }] }],
  });
  expect(stack.specs[0]?.image).toBe(Image.replace('-eia', ''));
});

test('what the stack does not emulate is refused by name', async () => {
  stack = await localEndpoints();
  await stack.makeModel('model');
  await expect(
    stack.client.send(
      new CreateEndpointConfigCommand({
        EndpointConfigName: 'config',
        ProductionVariants: [
          { VariantName: 'a', ModelName: 'model', InstanceType: 'ml.m5.large', InitialInstanceCount: 1 },
        ],
        AsyncInferenceConfig: { OutputConfig: { S3OutputPath: 's3://bucket/out' } },
      }),
    ),
  ).rejects.toThrow('does not emulate AsyncInferenceConfig of CreateEndpointConfig');
});
