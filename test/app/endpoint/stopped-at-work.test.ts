import { beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { deployEndpoint } from '../../../src/app/endpoint/deploy-endpoint.ts';
import { notifyEndpoint } from '../../../src/app/endpoint/notify-endpoint.ts';
import { repairEndpoint } from '../../../src/app/endpoint/repair-endpoint.ts';
import { changeJson } from '../../../src/app/records/endpoint.ts';
import { PARTS, RUN } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld();
});

/** What EventBridge says of an execution that a person stopped. */
const hearOfStop = (executionArn = 'first') => {
  const input = JSON.stringify({ schema: 1, action: 'deploy', pipeline: 'shapes', run: RUN });
  return repairEndpoint({ detail: { executionArn, status: 'ABORTED', input } }, world.services);
};
/** Stops an execution while its step is about to make one of its calls. */
const during = (call: 'create' | 'createConfig' | 'update' | 'deleteConfig', act: () => Promise<void>) => {
  const real: any = world.endpoints[call];
  Object.assign(world.endpoints, {
    [call]: async (...args: unknown[]) => {
      Object.assign(world.endpoints, { [call]: real });
      await act();
      return real(...args);
    },
  });
};
const change = () => changeJson(PARTS.pipeline).read(world.store);
/** The execution that goes back. */
const restore = () => {
  world.running.add('restore');
  return world.rollBack('restore');
};
const names = () => [...world.endpoints.all.keys()];

describe('an execution that is stopped while DeployEndpoint is at work', () => {
  it('has its first endpoint taken back, though it is created after the way back has begun', async () => {
    during('createConfig', async () => {
      world.running.delete('first');
      expect(await hearOfStop()).toMatchObject({ outcome: 'mending' });
      expect(await restore()).toMatchObject({ status: 'busy' });
    });
    await world.deploy();

    expect(names()).toHaveLength(1);
    expect(await change()).toMatchObject({ executionArn: 'first', busyUntil: null });
    expect(await restore()).toMatchObject({ status: 'busy' });
    world.inService();
    expect(await restore()).toMatchObject({ status: 'started', configName: null });
    await world.finish('rolled-back', 'restore');
    expect(world.endpoints.all.size + world.endpoints.configs.size + world.sagemaker.models.size).toBe(0);
    expect([await change(), await world.served()]).toEqual([undefined, undefined]);
    expect(world.started).toHaveLength(1);
  });

  it('has its candidate taken back, and what serves serves on', async () => {
    await world.deployed();
    const [serving] = names();
    const before = await world.served();
    world.changeModel();
    during('create', async () => {
      world.running.delete('second');
      await hearOfStop('second');
      expect(await restore()).toMatchObject({ status: 'busy' });
    });
    await world.deploy('second', 'needed');

    expect(names()).toHaveLength(2);
    world.endpoints.all.get(names()[1]!)!.status = 'InService';
    await restore();
    expect(names()).toEqual([serving]);
    await world.finish('rolled-back', 'restore');
    expect(await world.served()).toEqual(before);
  });

  it('has its update taken back', async () => {
    const { configName } = await world.deployed();
    world.changeModel();
    during('update', async () => {
      world.running.delete('second');
      await hearOfStop('second');
      expect(await restore()).toMatchObject({ status: 'busy' });
    });
    const { configName: next } = await world.deploy('second');

    world.inService(next);
    expect(await restore()).toMatchObject({ status: 'started', configName });
    expect(world.endpoints.asked.at(-1)).toContain(`to ${configName}`);
  });

  it('puts itself right where its end was heard of before it had claimed anything', async () => {
    expect(await hearOfStop()).toMatchObject({ outcome: 'notified' });
    // DescribeExecution may tell what was so a moment ago.
    during('create', async () => void world.running.delete('first'));
    await world.deploy();

    expect(world.started).toMatchObject([
      { input: { action: 'restore', run: RUN, reason: expect.stringContaining('while it was at work') } },
    ]);
    world.inService();
    expect(await restore()).toMatchObject({ status: 'started', configName: null });
  });

  it('is put right as well where the step fails', async () => {
    during('create', async () => {
      world.running.delete('first');
      throw new Error('no capacity');
    });
    await expect(world.deploy()).rejects.toThrow('no capacity');
    expect(world.started).toHaveLength(1);
    expect(await change()).toMatchObject({ requested: true, busyUntil: null });
  });

  it('keeps others away no longer than its function can live', async () => {
    // Nothing that follows is done by a function that was killed.
    const { write } = world.store;
    const killed = () => Promise.reject(new Error('killed'));
    during('createConfig', async () => void Object.assign(world.store, { write: killed }));
    await expect(world.deploy()).rejects.toThrow('killed');
    Object.assign(world.store, { write });
    world.running.delete('first');

    expect(await restore()).toMatchObject({ status: 'busy' });
    world.pass(149_000);
    expect(await restore()).toMatchObject({ status: 'busy' });
    world.pass(2_000);
    expect(await restore()).toMatchObject({ status: 'nothing' });
  });
});

it.each([
  ['deploy', () => deployEndpoint({ run: PARTS, executionArn: 'late', proof: 'needed' }, world.services)],
  ['delete', () => deleteEndpoint({ pipeline: PARTS.pipeline, executionArn: 'late' }, world.services)],
])('an execution that is over before its step to %s begins does nothing', async (_, step) => {
  await expect(step()).rejects.toMatchObject({ name: 'ExecutionOver' });
  expect([world.endpoints.asked, await change(), world.started]).toEqual([[], undefined, []]);
});

it('an execution that is stopped while it finishes is not gone back from while it tidies up', async () => {
  await world.deployed();
  world.changeModel();
  const { configName } = await world.deploy('second');
  world.inService(configName);
  during('deleteConfig', async () => {
    world.running.delete('second');
    expect(await hearOfStop('second')).toMatchObject({ outcome: 'mending' });
    expect(await restore()).toMatchObject({ status: 'busy' });
  });
  await world.finish('deployed', 'second');

  expect(await restore()).toEqual({ status: 'nothing' });
  expect(await world.served()).toMatchObject({ status: 'in-service' });
  const finished = await world.finish('rolled-back', 'restore');
  expect(finished).toMatchObject({ configName, hadChange: false });
  await notifyEndpoint(
    {
      pipeline: PARTS.pipeline,
      action: 'restore',
      outcome: 'rolled-back',
      run: RUN,
      reason: 'it was stopped',
      error: 'EndpointFailed',
      step: null,
      tested: 0,
      finished,
    },
    world.services,
  );
  const { subject, body } = world.topic.messages.at(-1)!;
  expect(subject).toBe('inferdrop: endpoint of shapes needs no repair');
  expect(body).toContain('It serves what was deployed last');
});
