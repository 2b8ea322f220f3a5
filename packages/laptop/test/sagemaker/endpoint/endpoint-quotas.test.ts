import { DeleteEndpointCommand, UpdateEndpointWeightsAndCapacitiesCommand } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import { AccountLimits } from '../../../service-quotas/account-limits.ts';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

let stack: LocalEndpoints;
afterEach(() => stack.close());

const limits = AccountLimits.parse({ endpointInstances: { 'ml.m5.xlarge': 2 } });
const refused = (used: number, delta: number) => ({
  name: 'ResourceLimitExceeded',
  message: expect.stringContaining(
    `The account-level service limit 'ml.m5.xlarge for endpoint usage' is 2 Instances, with current utilization of ` +
      `${used} Instances and a request delta of ${delta} Instances. `,
  ),
});

test('an endpoint is refused beyond the quota of its instance type, until another one is deleted', async () => {
  stack = await localEndpoints({ limits });
  await stack.deploy({ InitialInstanceCount: 2 });
  await stack.makeConfig('second');
  await expect(stack.create('second', 'another')).rejects.toMatchObject(refused(2, 1));
  await stack.client.send(new DeleteEndpointCommand({ EndpointName: 'endpoint' }));
  await stack.idle();
  await stack.create('second', 'another');
  await stack.idle();
});

test('an update has its instances beside those that serve', async () => {
  stack = await localEndpoints({ limits });
  await stack.deploy();
  await stack.makeConfig('two', { InitialInstanceCount: 2 });
  await stack.makeConfig('one');
  await expect(stack.update('two')).rejects.toMatchObject(refused(1, 2));
  expect(await stack.update('one')).toMatchObject({ EndpointConfigName: 'one' });
});

test('a variant grows within the quota only, and shrinks always', async () => {
  stack = await localEndpoints({ limits });
  await stack.deploy();
  const grow = async (DesiredInstanceCount: number) => {
    await stack.client.send(
      new UpdateEndpointWeightsAndCapacitiesCommand({
        EndpointName: 'endpoint',
        DesiredWeightsAndCapacities: [{ VariantName: 'AllTraffic', DesiredInstanceCount }],
      }),
    );
    await stack.idle();
  };
  await expect(grow(3)).rejects.toMatchObject(refused(1, 2));
  await grow(2);
  await grow(1);
});

test('serverless variants take no instances', async () => {
  stack = await localEndpoints({ limits: AccountLimits.parse({ endpointInstances: { '*': 0 } }) });
  await stack.deploy({ ServerlessConfig: { MemorySizeInMB: 1024, MaxConcurrency: 1 } });
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'InService' });
});
