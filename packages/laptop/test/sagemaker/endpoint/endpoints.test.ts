import {
  AddTagsCommand,
  DeleteEndpointCommand,
  DeleteTagsCommand,
  DescribeEndpointConfigCommand,
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListTagsCommand,
  waitUntilEndpointInService,
} from '@aws-sdk/client-sagemaker';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StartContainer } from '@inferdrop/model-container/container';
import { fakeContainers } from '../../support/fake-container.ts';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

let stack: LocalEndpoints;
beforeEach(async () => void (stack = await localEndpoints()));
afterEach(() => stack.close());

test('an endpoint walks from Creating to InService, with an event at each step', async () => {
  const endpoint = await stack.deploy();
  expect(endpoint).toMatchObject({
    EndpointArn: 'arn:aws:sagemaker:us-east-1:000000000000:endpoint/endpoint',
    EndpointConfigName: 'config',
    EndpointStatus: 'InService',
    ProductionVariants: [{ VariantName: 'AllTraffic', CurrentWeight: 1, CurrentInstanceCount: 1 }],
  });
  expect(stack.events.map(({ detail }) => detail['EndpointStatus'])).toEqual(['CREATING', 'IN_SERVICE']);
  expect(stack.events[0]).toMatchObject({
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Endpoint State Change',
    resources: [endpoint.EndpointArn],
  });
});

test('the SDK waits for an endpoint with its own waiter', async () => {
  await stack.makeModel('model');
  await stack.makeConfig('config');
  await stack.create('config');
  const waited = await waitUntilEndpointInService(
    { client: stack.client, maxWaitTime: 20, minDelay: 1, maxDelay: 1 },
    { EndpointName: 'endpoint' },
  );
  expect(waited.state).toBe('SUCCESS');
});

test('each instance of a variant is a container of its own', async () => {
  await stack.deploy({ InitialInstanceCount: 3 });
  expect(stack.specs).toHaveLength(3);
});

test('a container that ends at once fails the endpoint, and the reason says so', async () => {
  stack.breakNext();
  expect(await stack.deploy()).toMatchObject({
    EndpointStatus: 'Failed',
    FailureReason: expect.stringContaining(
      'The primary container for production variant AllTraffic did not pass the ping health check.',
    ),
  });
});

test('a model whose archive is not there fails the endpoint', async () => {
  await stack.makeModel('model', { ModelDataUrl: 's3://bucket/absent.tar.gz' });
  await stack.makeConfig('config');
  await stack.create('config');
  await stack.idle();
  expect((await stack.describe()).FailureReason).toContain(
    'Failed to download model data for container "container_1" from URL: "s3://bucket/absent.tar.gz"',
  );
});

test('a deleted endpoint is gone, its containers too', async () => {
  await stack.deploy();
  expect(stack.running()).toBe(1);
  await stack.client.send(new DeleteEndpointCommand({ EndpointName: 'endpoint' }));
  await stack.idle();
  expect(stack.running()).toBe(0);
  await expect(stack.describe()).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Could not find endpoint "arn:aws:sagemaker:us-east-1:000000000000:endpoint/endpoint".',
  });
  expect(stack.events.at(-1)?.detail).toMatchObject({ EndpointStatus: 'DELETING' });
});

test('an endpoint cannot be deleted while it is being created', async () => {
  await stack.makeModel('model');
  await stack.makeConfig('config');
  await stack.create('config');
  await expect(
    stack.client.send(new DeleteEndpointCommand({ EndpointName: 'endpoint' })),
  ).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      'Cannot update in-progress endpoint "arn:aws:sagemaker:us-east-1:000000000000:endpoint/endpoint".',
  });
  await stack.idle();
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'InService' });
});

test('a taken name is refused', async () => {
  await stack.deploy();
  await expect(stack.create('config')).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      'Cannot create already existing endpoint "arn:aws:sagemaker:us-east-1:000000000000:endpoint/endpoint".',
  });
});

test('a configuration that is not there is refused', async () => {
  await expect(stack.create('absent')).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      'Could not find endpoint configuration "arn:aws:sagemaker:us-east-1:000000000000:endpoint-config/absent".',
  });
});

test('a configuration of a model that is not there is refused', async () => {
  await expect(stack.makeConfig('config')).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Could not find model "arn:aws:sagemaker:us-east-1:000000000000:model/model".',
  });
});

test('a configuration is described as it was made, with the default weight', async () => {
  await stack.makeModel('model');
  await stack.makeConfig('config');
  expect(
    await stack.client.send(new DescribeEndpointConfigCommand({ EndpointConfigName: 'config' })),
  ).toMatchObject({
    ProductionVariants: [
      {
        VariantName: 'AllTraffic',
        ModelName: 'model',
        InstanceType: 'ml.m5.xlarge',
        InitialInstanceCount: 1,
        InitialVariantWeight: 1,
      },
    ],
  });
});

test('endpoints and configurations are listed by name and status', async () => {
  await stack.deploy();
  await stack.create('config', 'another');
  await stack.idle();
  const { Endpoints } = await stack.client.send(
    new ListEndpointsCommand({ NameContains: 'end', StatusEquals: 'InService' }),
  );
  expect(Endpoints?.map(({ EndpointName }) => EndpointName)).toEqual(['endpoint']);
  const { EndpointConfigs } = await stack.client.send(new ListEndpointConfigsCommand({}));
  expect(EndpointConfigs?.map(({ EndpointConfigName }) => EndpointConfigName)).toEqual(['config']);
});

test('tags of an endpoint are added, listed and removed', async () => {
  const { EndpointArn: ResourceArn } = await stack.deploy();
  const Tags = ['a', 'b'].map((Key) => ({ Key, Value: '1' }));
  await stack.client.send(new AddTagsCommand({ ResourceArn, Tags }));
  await stack.client.send(new DeleteTagsCommand({ ResourceArn, TagKeys: ['a'] }));
  expect((await stack.client.send(new ListTagsCommand({ ResourceArn }))).Tags).toEqual([Tags[1]]);
});

test('an endpoint comes up again after a restart of the stack, although model and configuration are gone', async () => {
  await stack.deploy();
  await stack.close();
  const before = stack;
  stack = await localEndpoints({ dir: before.dir });
  expect((await stack.invoke()).text).toBe('0');
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'InService' });
});

/** Containers that cannot be started as often as asked: the machine has no room. */
function short(of: { readonly start: StartContainer }) {
  let refusals = 0;
  const start: StartContainer = (spec) => {
    if (refusals-- <= 0) return of.start(spec);
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  return { start, refuse: (times: number) => void (refusals = times) };
}

test('an endpoint that finds no room after a restart of the stack stays in service, and serves when there is some', async () => {
  await stack.deploy();
  await stack.close();
  const machine = short(fakeContainers(() => 'back'));
  machine.refuse(2);
  stack = await localEndpoints({ dir: stack.dir, startContainer: machine.start });
  const answered = async () => (await stack.invoke().catch(() => ({ text: '' }))).text === 'back';
  expect(await answered()).toBe(false);
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'InService' });
  await stack.advanceUntil(answered);
});

test('an endpoint whose container is killed at a restart of the stack stays in service, and serves again', async () => {
  await stack.deploy();
  await stack.close();
  const containers = fakeContainers(() => 'back');
  containers.breakNext();
  stack = await localEndpoints({ dir: stack.dir, startContainer: containers.start });
  await stack.advanceUntil(async () => (await stack.invoke().catch(() => ({ text: '' }))).text === 'back');
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'InService' });
});

test('a container that ended and finds no room is started again until there is some', async () => {
  await stack.close();
  const containers = fakeContainers(({ container }) => String(container));
  const machine = short(containers);
  stack = await localEndpoints({ startContainer: machine.start });
  await stack.deploy();
  machine.refuse(2);
  containers.kill(0);
  const answered = stack.invoke();
  let isAnswered = false;
  answered.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  );
  await stack.advanceUntil(() => isAnswered);
  expect((await answered).text).toBe('1');
});

test('containers write to the log group of the endpoint', async () => {
  await stack.deploy();
  stack.specs[0]!.log('hello');
  expect(stack.logLines.at(-1)).toMatch(
    /^\/aws\/sagemaker\/Endpoints\/endpoint AllTraffic\/i-[0-9a-f]+: hello$/,
  );
});
