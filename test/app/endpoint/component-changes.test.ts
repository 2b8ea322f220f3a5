import { beforeEach, describe, expect, it } from 'vitest';
import { checkEndpoint } from '../../../src/app/endpoint/check-endpoint.ts';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { PARTS } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

const { pipeline } = PARTS;
const HOUR = 3_600_000;

let world: EndpointWorld;
const components = () => [...world.endpoints.allComponents.keys()];
const host = () => [...world.endpoints.all.keys()][0]!;

/** A deployment up to the test of its model; the name of its component. */
async function up(executionArn: string): Promise<string> {
  let answer = await world.deploy(executionArn, 'needed');
  while (answer.status === 'busy') {
    world.endpoints.arrive();
    answer = await world.deploy(executionArn, 'needed');
  }
  expect(answer).toMatchObject({ status: 'started', isCandidate: false, endpointName: host() });
  world.endpoints.arrive();
  return answer.configName;
}

async function deployed(executionArn = 'first'): Promise<string> {
  const name = await up(executionArn);
  await world.finish('deployed', executionArn);
  world.running.delete(executionArn);
  return name;
}

beforeEach(async () => {
  world = await endpointWorld({ scaleToZero: true, initialInstanceCount: 2 });
});

describe('an endpoint that scales to zero', () => {
  it('is made first, then its component, which is scaled between none and its most copies', async () => {
    const name = await deployed();
    expect(world.endpoints.asked.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
      'create host',
      `create ${host()}`,
      'create component',
    ]);
    expect(components()).toEqual([name]);
    expect(world.scaled).toEqual([[name, 2]]);
    expect(await world.served()).toMatchObject({
      status: 'in-service',
      live: name,
      variants: { [name]: { component: name, hardware: 'scales to zero, at most 2 × ml.m5.xlarge' } },
      hourlyUsd: 0,
      idleHours: null,
      autoscaling: null,
    });
  });

  it('is waited for by its component, not by its host', async () => {
    await world.deploy('first', 'needed');
    world.endpoints.arrive();
    const { configName } = await world.deploy('first', 'needed');
    const look = () => checkEndpoint({ endpointName: host(), configName, poll: 0 }, world.services);
    expect(await look()).toMatchObject({ status: 'waiting', endpointStatus: 'Creating' });
    const component = world.endpoints.allComponents.get(configName)!;
    Object.assign(component, { status: 'Failed', failureReason: 'no ping' });
    expect(await look()).toMatchObject({ status: 'failed', reason: expect.stringContaining('no ping') });
    component.status = 'InService';
    expect(await look()).toEqual({ status: 'reached' });
  });

  it('brings the next model up beside the one that serves, which goes once the next has passed', async () => {
    const before = await deployed();
    world.changeModel();
    const next = await up('second');
    expect(components()).toEqual([before, next]);
    expect(await world.served()).toMatchObject({ live: before });
    await world.finish('deployed', 'second');
    expect(components()).toEqual([next]);
    expect(await world.served()).toMatchObject({ live: next });
    expect(Object.keys((await world.served())!.variants)).toEqual([next]);
    expect([world.sagemaker.models.size, world.endpoints.configs.size]).toEqual([1, 1]);
    expect(world.scaled.slice(1)).toEqual([
      [next, 2],
      [before, 'deregistered'],
      [before, 'deregistered'],
    ]);
  });

  it('takes a model back that fails, and one that serves goes on', async () => {
    const before = await deployed();
    world.changeModel();
    const next = await up('second');
    expect(await world.rollBack('second')).toMatchObject({ status: 'busy' });
    expect(await world.rollBack('second')).toEqual({
      status: 'started',
      endpointName: host(),
      configName: before,
    });
    await world.finish('rolled-back', 'second');
    expect(components()).not.toContain(next);
    expect(await world.served()).toMatchObject({ live: before });
    expect(world.sagemaker.models.size).toBe(1);
  });

  it('goes as a whole where its first model fails', async () => {
    await up('first');
    expect(await world.rollBack('first')).toMatchObject({ status: 'busy' });
    expect(await world.rollBack('first')).toMatchObject({ status: 'started', configName: null });
    expect([world.endpoints.all.size, components()]).toEqual([0, []]);
  });

  it('is deleted after its components, and not before one that is on its way', async () => {
    const name = await deployed();
    const remove = () => {
      world.running.add('last');
      return deleteEndpoint({ pipeline, executionArn: 'last' }, world.services);
    };
    world.endpoints.allComponents.get(name)!.status = 'Updating';
    expect(await remove()).toMatchObject({ status: 'busy' });
    expect(components()).toEqual([name]);
    world.endpoints.arrive();
    expect(await remove()).toMatchObject({ status: 'busy' });
    expect(await remove()).toMatchObject({ status: 'started' });
    expect(world.endpoints.all.size).toBe(0);
  });

  it('leaves no alarm of a component that was deleted by hand', async () => {
    const name = await deployed();
    world.endpoints.allComponents.delete(name);
    world.running.add('last');
    expect(await deleteEndpoint({ pipeline, executionArn: 'last' }, world.services)).toMatchObject({
      status: 'started',
    });
    expect(world.scaled.at(-1)).toEqual([name, 'deregistered']);
    expect(world.endpoints.all.size).toBe(0);
  });

  it('leaves none of one that was deleted by hand and then replaced, or was not', async () => {
    const before = await deployed();
    const ended = () => world.scaled.filter(([name, how]) => name === before && how === 'deregistered');
    world.endpoints.allComponents.delete(before);
    world.changeModel();
    const next = await up('second');
    expect(await world.served()).toMatchObject({ live: null, status: 'creating' });
    await world.finish('deployed', 'second');
    expect([ended().length, Object.keys((await world.served())!.variants)]).toEqual([1, [next]]);

    world.endpoints.allComponents.delete(next);
    world.changeModel('third');
    await up('third');
    await world.rollBack('third');
    expect(await world.rollBack('third')).toMatchObject({ status: 'started', configName: null });
    expect(world.scaled).toContainEqual([next, 'deregistered']);
  });

  it('is not asked again and again to end the scaling of what is on its way', async () => {
    const before = await deployed();
    world.changeModel();
    await up('second');
    world.endpoints.allComponents.get(before)!.status = 'Updating';
    await expect(world.finish('deployed', 'second')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(world.scaled.filter(([name]) => name === before)).toEqual([
      [before, 2],
      [before, 'deregistered'],
    ]);
  });

  it('ends by its time alone, of which the sweep warns before', async () => {
    await deployed();
    world.pass(7.5 * HOUR);
    expect(await world.sweep()).toMatchObject({ endpoints: 1, warned: 1, deleted: 0, failed: 0 });
    world.pass(HOUR);
    expect(await world.sweep()).toMatchObject({ warned: 0, deleted: 1, failed: 0 });
    expect(world.started.at(-1)!.input).toMatchObject({ action: 'delete', pipeline });
  });

  it('loses what a dead execution has left next to what serves', async () => {
    const before = await deployed();
    world.changeModel();
    const next = await up('second');
    world.running.delete('second');
    expect(await world.sweep()).toMatchObject({ restored: 1, failed: 0 });
    expect(world.started.at(-1)!.input).toMatchObject({ action: 'restore', pipeline });
    world.running.add('repair');
    expect(await world.rollBack('repair')).toMatchObject({ status: 'busy' });
    expect(await world.rollBack('repair')).toMatchObject({ status: 'started', configName: before });
    await world.finish('rolled-back', 'repair');
    expect(components()).toEqual([before]);
    expect(world.scaled).toContainEqual([next, 'deregistered']);
  });

  it('is unchanged by the same content, and keeps its instances', async () => {
    const name = await deployed();
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'unchanged', configName: name });
    world.editPlan((plan) => void (plan.endpoint.instanceType = 'ml.m5.large'));
    await expect(world.deploy('second', 'needed')).rejects.toMatchObject({ name: 'EndpointKindDiffers' });
    world.editPlan((plan) => void (plan.endpoint.scaleToZero = false));
    await expect(world.deploy('second', 'needed')).rejects.toThrow('scales to zero');
  });

  it('finishes later where the component before is on its way to more copies', async () => {
    const before = await deployed();
    world.changeModel();
    const next = await up('second');
    world.endpoints.allComponents.get(before)!.status = 'Updating';
    await expect(world.finish('deployed', 'second')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(await world.served()).toMatchObject({ live: next });
    world.endpoints.arrive();
    await world.finish('deployed', 'second');
    expect(components()).toEqual([next]);
  });

  it('keeps the new model where the end of its deployment fails before the API knows of it', async () => {
    const before = await deployed();
    world.changeModel();
    const next = await up('second');
    const { tag } = world.endpoints;
    world.services.endpoints.tag = () => Promise.reject(new Error('refused'));
    await expect(world.finish('deployed', 'second')).rejects.toThrow('refused');
    expect(await world.served()).toMatchObject({ live: before });
    world.services.endpoints.tag = tag;
    world.running.delete('second');
    world.pass(HOUR);
    world.running.add('repair');
    expect(await world.rollBack('repair')).toMatchObject({ status: 'busy' });
    expect(await world.rollBack('repair')).toMatchObject({ status: 'started', configName: next });
    await world.finish('rolled-back', 'repair');
    expect(components()).toEqual([next]);
    expect(await world.served()).toMatchObject({ status: 'in-service', live: next });
    expect(world.scaled.at(-1)).not.toEqual([next, 'deregistered']);
  });

  it.each(['deleted', 'rolled back'])('is %s also where it begins to wake at that moment', async (how) => {
    const before = await deployed();
    world.changeModel();
    if (how === 'rolled back') await up('second');
    else world.running.add('second');
    const leaving = components().at(-1)!;
    const { deregister } = world.services.componentScaling;
    world.services.componentScaling.deregister = async (name) => {
      await deregister(name);
      world.endpoints.allComponents.get(leaving)!.status = 'Updating';
    };
    const leave = () =>
      how === 'deleted'
        ? deleteEndpoint({ pipeline, executionArn: 'second' }, world.services)
        : world.rollBack('second');
    expect(await leave()).toMatchObject({ status: 'busy' });
    world.services.componentScaling.deregister = deregister;
    world.endpoints.arrive();
    expect(await leave()).toMatchObject({ status: 'busy' });
    expect(await leave()).toMatchObject({ status: 'started' });
    expect(components()).toEqual(how === 'deleted' ? [] : [before]);
  });

  it('is updated, taken back and deleted while it sleeps', async () => {
    const before = await deployed();
    const sleep = (name: string) => (world.endpoints.allComponents.get(name)!.copies = 0);
    sleep(before);
    expect(await world.deploy('again', 'needed')).toMatchObject({ status: 'unchanged' });
    await world.finish('unchanged', 'again');
    world.running.delete('again');
    world.changeModel();
    await up('second');
    await world.rollBack('second');
    expect(await world.rollBack('second')).toMatchObject({ status: 'started', configName: before });
    const look = { endpointName: host(), configName: before, poll: 0 };
    expect(await checkEndpoint(look, world.services)).toEqual({ status: 'reached' });
    await world.finish('rolled-back', 'second');
    world.running.delete('second');
    expect([components(), (await world.served())!.live]).toEqual([[before], before]);
    world.changeModel('third');
    const next = await up('third');
    await world.finish('deployed', 'third');
    world.running.delete('third');
    expect(components()).toEqual([next]);
    sleep(next);
    world.running.add('last');
    const remove = () => deleteEndpoint({ pipeline, executionArn: 'last' }, world.services);
    expect(await remove()).toMatchObject({ status: 'busy' });
    expect(await remove()).toMatchObject({ status: 'started' });
    expect(world.endpoints.all.size).toBe(0);
  });

  it('creates a component again that an earlier deployment left without copies, since no test would wake it', async () => {
    const before = await deployed();
    world.changeModel();
    await up('second');
    world.endpoints.allComponents.get(before)!.status = 'Updating';
    await expect(world.finish('deployed', 'second')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    world.running.delete('second');
    world.pass(HOUR);
    world.endpoints.arrive();
    world.endpoints.allComponents.get(before)!.copies = 0;
    world.editPlan((plan) => void (plan.model.environment = {}));
    expect(await world.deploy('third', 'needed')).toMatchObject({ status: 'busy' });
    expect(components()).not.toContain(before);
    expect(await up('third')).toBe(before);
  });
});
