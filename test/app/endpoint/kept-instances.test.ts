import { beforeEach, expect, it } from 'vitest';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { PARTS } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

const AUTOSCALING = { minInstances: 1, maxInstances: 6, invocationsPerInstance: 600 };

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld({ autoscaling: AUTOSCALING });
});

const endpoint = () => [...world.endpoints.all.values()][0]!;
const instancesOf = (configName: string) => {
  const { hardware } = world.endpoints.configs.get(configName)!;
  return hardware.kind === 'instance' ? hardware.initialInstanceCount : undefined;
};

/** The endpoint after a deployment, which autoscaling has grown. */
async function grown(instances: number) {
  const { configName } = await world.deployed();
  endpoint().instances = instances;
  return configName as string;
}

it('an update begins with as many instances as autoscaling has grown', async () => {
  await grown(4);
  world.changeModel();
  const { configName } = await world.deploy('second');
  expect(instancesOf(configName)).toBe(4);
  world.endpoints.arrive();
  await world.finish('deployed', 'second');
  expect(world.scaled.at(-1)).toEqual([expect.any(String), AUTOSCALING]);
});

it('an update begins with no more than the new plan allows, and no fewer than it asks for', async () => {
  await grown(6);
  world.changeModel();
  world.editPlan(({ endpoint: planned }) => void (planned.autoscaling.maxInstances = 3));
  expect(instancesOf((await world.deploy('second')).configName)).toBe(3);
  world = await endpointWorld({ autoscaling: { ...AUTOSCALING, minInstances: 2 }, initialInstanceCount: 2 });
  await grown(1);
  world.changeModel();
  expect(instancesOf((await world.deploy('second')).configName)).toBe(2);
});

it('without autoscaling the number is that of the plan', async () => {
  await grown(4);
  world.changeModel();
  world.editPlan(({ endpoint: planned }) => void (planned.autoscaling = null));
  expect(instancesOf((await world.deploy('second')).configName)).toBe(1);
});

it('the candidate has one instance all the same', async () => {
  await grown(4);
  world.changeModel();
  const { configName, isCandidate } = await world.deploy('second', 'needed');
  expect([isCandidate, instancesOf(configName)]).toEqual([true, 1]);
});

it('a step that is repeated waits for what it has asked for, though the number has changed since', async () => {
  await grown(4);
  world.changeModel();
  const asked = await world.deploy('second');
  endpoint().instances = 5;
  expect(await world.deploy('second')).toEqual(asked);
  world.endpoints.arrive();
  endpoint().instances = 2;
  expect(await world.deploy('second')).toEqual(asked);
});

it('the same content again changes nothing, whatever the number of instances', async () => {
  await grown(4);
  world.changeModel();
  const { configName } = await world.deploy('second');
  world.endpoints.arrive();
  await world.finish('deployed', 'second');
  endpoint().instances = 2;
  expect(await world.deploy('third', 'needed')).toMatchObject({ status: 'unchanged', configName });
});

it('a roll-back goes to the former model with as many instances as serve', async () => {
  const former = await grown(4);
  world.changeModel();
  await world.deploy('second');
  world.endpoints.arrive();
  const back = await world.rollBack('second');
  expect(back).toMatchObject({ status: 'started' });
  const { configName } = back as { configName: string };
  const { hardware: _, name: __, ...content } = world.endpoints.configs.get(former)!;
  expect(world.endpoints.configs.get(configName)).toMatchObject(content);
  expect(instancesOf(configName)).toBe(4);
  expect(await world.rollBack('second')).toMatchObject({ status: 'busy' });
  world.endpoints.arrive();
  expect(await world.rollBack('second')).toEqual(back);
  await world.finish('rolled-back', 'second');
  expect([...world.endpoints.configs.keys()]).toEqual([configName]);
  expect(world.scaled.at(-1)).toEqual([content.variantName, AUTOSCALING]);
});

it('what a roll-back has brought back is known as tested', async () => {
  await grown(4);
  const plan = world.store.text(bucketLayout.plan(PARTS))!;
  world.changeModel();
  await world.deploy('second');
  world.endpoints.arrive();
  await world.rollBack('second');
  world.endpoints.arrive();
  await world.finish('rolled-back', 'second');
  world.store.put(bucketLayout.plan(PARTS), plan);
  expect(await world.deploy('third', 'needed')).toMatchObject({ status: 'unchanged' });
});

it('an update that SageMaker has taken back itself needs no second one', async () => {
  const former = await grown(4);
  world.changeModel();
  await world.deploy('second');
  Object.assign(endpoint(), { status: 'InService', pending: undefined });
  expect(await world.rollBack('second')).toMatchObject({ status: 'started', configName: former });
  expect(world.endpoints.asked.filter((one) => one.startsWith('update'))).toHaveLength(1);
});

it('an endpoint that is scaled costs from its fewest to its most instances', async () => {
  await grown(4);
  expect(await world.served()).toMatchObject({ hourlyUsd: 0.2304, maxHourlyUsd: 1.3824 });
  world.changeModel();
  await world.deploy('second');
  world.endpoints.arrive();
  expect(await world.finish('deployed', 'second')).toMatchObject({
    hardware: '4 × ml.m5.xlarge',
    hourlyUsd: 0.2304,
    maxHourlyUsd: 1.3824,
  });
});
