import { beforeEach, expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { deployEndpoint } from '../../../src/app/endpoint/deploy-endpoint.ts';
import { changeJson } from '../../../src/app/records/endpoint.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { NOW, PARTS, RUN } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld({ autoscaling: { maxInstances: 3 } });
});
const end = (executionArn = 'deletion', deployedAt: string | null = null) => {
  world.running.add(executionArn);
  return deleteEndpoint({ pipeline: PARTS.pipeline, executionArn, deployedAt }, world.services);
};
const change = () => changeJson(PARTS.pipeline).read(world.store);
const deletions = () => world.endpoints.asked.filter((one) => one.startsWith('delete'));

it('a deletion is written down, takes autoscaling away, and lets the prediction API call it no more', async () => {
  const { configName } = await world.deployed();
  const { endpointName, live } = (await world.served())!;
  expect(await end()).toEqual({ status: 'started', endpointName });
  expect(deletions()).toEqual([`delete ${endpointName}`]);
  expect(await world.served()).toMatchObject({ status: 'deleting', live });
  expect(world.scaled.at(-1)).toEqual([live, 'deregistered']);
  expect(await change()).toEqual({
    schema: 1,
    action: 'delete',
    executionArn: 'deletion',
    startedAt: NOW.toISOString(),
    run: null,
    endpointName,
    configName: null,
    previousConfigName: null,
    requested: true,
    candidateName: null,
    inherited: false,
    busyUntil: null,
  });
  expect(world.endpoints.configs.has(configName)).toBe(true);
});

it('the alarm of its updates goes when the endpoint is gone, and not before', async () => {
  const { endpointName } = await world.deployed();
  world.changeModel();
  const { configName } = await world.deploy('second');
  world.endpoints.arrive();
  await world.finish('deployed', 'second');
  world.running.delete('second');
  await end();
  expect(world.alarms.asked).toEqual([`watch ${endpointName}-disagrees of ${configName}`]);
  await world.finish('deleted', 'deletion');
  expect(world.alarms.asked.at(-1)).toBe(`delete ${endpointName}-disagrees`);
});

it('a deletion of the deployment that serves is carried out', async () => {
  await world.deployed();
  expect(await end('deletion', (await world.served())!.deployedAt)).toMatchObject({ status: 'started' });
});

it('an endpoint of which nothing is written down is deleted, and nothing is written down of it', async () => {
  await world.deployed();
  const { endpointName } = (await world.served())!;
  await world.store.delete(bucketLayout.served(PARTS.pipeline));
  expect(await end()).toEqual({ status: 'started', endpointName });
  expect(deletions()).toEqual([`delete ${endpointName}`]);
  expect(world.store.text(bucketLayout.served(PARTS.pipeline))).toBeUndefined();
});

it('an endpoint without autoscaling has none taken away', async () => {
  world = await endpointWorld();
  await world.deployed();
  world.changeModel();
  await world.deploy('second');
  world.endpoints.arrive();
  await world.rollBack('second');
  world.endpoints.arrive();
  await world.finish('rolled-back', 'second');
  world.running.delete('second');
  await end();
  expect(world.scaled).toEqual([]);
});

it('what has no endpoint, or one that is being deleted, is not deleted', async () => {
  expect(await end()).toMatchObject({ status: 'started' });
  await world.finish('deleted', 'deletion');
  await world.deployed();
  for (const endpoint of world.endpoints.all.values()) endpoint.status = 'Deleting';
  expect(await end()).toMatchObject({ status: 'started' });
  expect(deletions()).toEqual([]);
});

it('an endpoint that SageMaker is changing is deleted afterwards', async () => {
  await world.deployed();
  for (const endpoint of world.endpoints.all.values()) endpoint.status = 'Updating';
  expect(await end()).toMatchObject({ status: 'busy' });
  expect(await world.served()).toMatchObject({ status: 'in-service' });
  world.inService();
  expect(await end()).toMatchObject({ status: 'started' });
});

it('a deletion waits while another execution changes the endpoint', async () => {
  await world.deploy();
  expect(await end()).toMatchObject({ status: 'busy' });
});

it('a deletion that comes too late has the remains of a dead deployment undone all the same', async () => {
  await world.deployed();
  const { deployedAt } = (await world.served())!;
  world.changeModel();
  await world.deploy('second', 'needed');
  world.running.delete('second');
  expect(await end('deletion', new Date(0).toISOString())).toEqual({ status: 'kept' });
  expect(await change()).toMatchObject({ action: 'deploy', executionArn: 'deletion', run: RUN });
  expect(world.started).toMatchObject([
    {
      name: expect.stringMatching(/^restore-shapes-/),
      input: {
        action: 'restore',
        run: RUN,
        reason: 'the execution that was to deploy it is over and has left it half done',
      },
    },
  ]);
  expect(await world.served()).toMatchObject({ deployedAt, status: 'in-service' });
});

it('a deletion that comes too late has a deployment repaired that died before its turn', async () => {
  await world.deployed();
  for (const endpoint of world.endpoints.all.values()) endpoint.status = 'SystemUpdating';
  world.changeModel();
  expect(await world.deploy('second')).toMatchObject({ status: 'busy' });
  world.running.delete('second');
  expect(await end('deletion', new Date(0).toISOString())).toEqual({ status: 'kept' });
  expect(world.started).toMatchObject([{ input: { action: 'restore', run: RUN } }]);
});

it('a deletion whose execution died is finished, not taken back', async () => {
  await world.deployed();
  await end();
  world.running.clear();
  expect(await world.sweep()).toMatchObject({ restored: 1 });
  expect(world.started).toMatchObject([
    {
      name: expect.stringMatching(/^delete-shapes-/),
      input: {
        action: 'delete',
        run: null,
        deployedAt: null,
        reason: 'the execution that was to delete it is over and has left it half done',
      },
    },
  ]);
});

it.each([
  ['asked for an endpoint', async () => void (await world.deploy('second')), true],
  [
    'asked for a candidate',
    async () => {
      await world.deployed();
      world.changeModel();
      await world.deploy('second', 'needed');
    },
    false,
  ],
])(
  'an execution that is over before a further step, and has %s, has that undone',
  async (_, ask, requested) => {
    await ask();
    world.running.delete('second');
    await expect(
      deployEndpoint({ run: PARTS, executionArn: 'second', proof: 'given' }, world.services),
    ).rejects.toMatchObject({
      name: 'ExecutionOver',
      message: 'second is over, so it changes nothing any more',
    });
    expect(world.started).toMatchObject([
      {
        input: {
          action: 'restore',
          run: RUN,
          reason: 'the execution that was to deploy it was stopped while it was at work',
        },
      },
    ]);
    expect(await change()).toMatchObject({ executionArn: 'second', requested, busyUntil: null });
  },
);
