import { CreateModelCommand } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { ROLE } from '../local-sagemaker.ts';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

let stack: LocalEndpoints;
afterEach(() => stack.close());

const ServerlessConfig = { MemorySizeInMB: 2048, MaxConcurrency: 2 };

test('a serverless variant is described with its memory and concurrency', async () => {
  stack = await localEndpoints();
  expect(await stack.deploy({ ServerlessConfig })).toMatchObject({
    EndpointStatus: 'InService',
    ProductionVariants: [{ CurrentServerlessConfig: ServerlessConfig }],
  });
});

test('a serverless variant goes cold when no request comes, and warms up with the next', async () => {
  stack = await localEndpoints({ serverlessIdleMs: 60_000 });
  await stack.deploy({ ServerlessConfig });
  expect((await stack.invoke()).text).toBe('0');
  await stack.clock.advance(60_000);
  expect(stack.running()).toBe(0);
  expect((await stack.invoke()).text).toBe('1');
});

test('a serverless variant stays warm while requests come', async () => {
  stack = await localEndpoints({ serverlessIdleMs: 60_000 });
  await stack.deploy({ ServerlessConfig });
  for (let i = 0; i < 3; i++) {
    await stack.clock.advance(59_000);
    expect((await stack.invoke()).text).toBe('0');
  }
});

test('provisioned concurrency never goes cold', async () => {
  stack = await localEndpoints({ serverlessIdleMs: 60_000 });
  await stack.deploy({ ServerlessConfig: { ...ServerlessConfig, ProvisionedConcurrency: 1 } });
  await stack.clock.advance(600_000);
  expect(stack.running()).toBe(1);
});

test('one request more than MaxConcurrency is throttled', async () => {
  const held = Promise.withResolvers<void>();
  stack = await localEndpoints({
    answer: async () => {
      await held.promise;
      return 'ok';
    },
  });
  await stack.deploy({ ServerlessConfig });
  const two = [stack.invoke(), stack.invoke()];
  await until(() => stack.invocations.length === 2);
  await expect(stack.invoke()).rejects.toMatchObject({ name: 'ThrottlingException' });
  held.resolve();
  expect((await Promise.all(two)).map(({ text }) => text)).toEqual(['ok', 'ok']);
});

test('a serverless variant takes 4 MiB', async () => {
  stack = await localEndpoints();
  await stack.deploy({ ServerlessConfig });
  await expect(stack.invoke(new Uint8Array(4 * 1024 * 1024 + 1))).rejects.toThrow('4194304');
});

test('a cold container that does not come up within a minute is ModelNotReadyException', async () => {
  let healthy = true;
  stack = await localEndpoints({
    serverlessIdleMs: 1000,
    get: () => ({ status: healthy ? 200 : 503 }),
  });
  await stack.deploy({ ServerlessConfig });
  await stack.clock.advance(1000);
  healthy = false;
  let refused: unknown;
  void stack.invoke().catch((error: unknown) => (refused = error));
  await stack.advanceUntil(() => refused !== undefined);
  expect(refused).toMatchObject({ name: 'ModelNotReadyException', $metadata: { httpStatusCode: 429 } });
});

test('memory that AWS does not offer is refused', async () => {
  stack = await localEndpoints();
  await stack.makeModel('model');
  await expect(
    stack.makeConfig('config', { ServerlessConfig: { MemorySizeInMB: 1500, MaxConcurrency: 1 } }),
  ).rejects.toThrow('[1024, 2048, 3072, 4096, 5120, 6144]');
});

test('becomes one of instances, and no endpoint of instances becomes serverless', async () => {
  stack = await localEndpoints();
  await stack.deploy({ ServerlessConfig });
  await stack.makeConfig('instances');
  expect(await stack.update('instances')).toMatchObject({
    EndpointStatus: 'InService',
    ProductionVariants: [{ CurrentInstanceCount: 1 }],
  });
  await expect(stack.update('config')).rejects.toMatchObject({ name: 'ValidationException' });
  expect(await stack.describe()).toMatchObject({ EndpointConfigName: 'instances' });
});

test.each([
  ['VpcConfig', { VpcConfig: { SecurityGroupIds: ['sg-1'], Subnets: ['subnet-1'] } }],
  ['EnableNetworkIsolation', { EnableNetworkIsolation: true }],
])('a serverless variant takes no model with %s', async (field, settings) => {
  stack = await localEndpoints();
  await stack.client.send(
    new CreateModelCommand({
      ModelName: 'secluded',
      PrimaryContainer: { Image: 'image' },
      ExecutionRoleArn: ROLE,
      ...settings,
    }),
  );
  await expect(
    stack.makeConfig('serverless', { ModelName: 'secluded', ServerlessConfig }),
  ).rejects.toMatchObject({
    name: 'ValidationException',
    message: `Serverless endpoints do not support ${field} of model secluded.`,
  });
});
