import { beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { findAcceleratorUses } from '../../../src/app/endpoint/migrate-accelerators.ts';
import { NOW, PARTS } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

const HOUR = 3_600_000;
const CANDIDATE = /^inferdrop-dev-shapes-candidate-[0-9a-f]{12}$/;

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld({ initialInstanceCount: 3 });
  await world.deployed();
  world.changeModel();
});
const candidate = () => [...world.endpoints.all].find(([name]) => CANDIDATE.test(name));
const asked = (pattern: RegExp) => world.endpoints.asked.filter((one) => pattern.test(one));

describe('a model that would take over', () => {
  it('comes up on a candidate of one instance first, tagged as such, and no request is sent to it', async () => {
    const before = await world.served();
    const answer = await world.deploy('second', 'needed');
    expect(answer).toMatchObject({ status: 'started', isCandidate: true, endpointName: candidate()![0] });
    expect(candidate()![1].tags).toMatchObject({
      'inferdrop:application': 'bucket',
      'inferdrop:pipeline': 'shapes',
      'inferdrop:candidate-of': 'second',
      'inferdrop:expires-at': new Date(NOW.getTime() + 6 * HOUR).toISOString(),
    });
    expect(world.endpoints.configs.get(answer.configName)!.hardware).toMatchObject({
      initialInstanceCount: 1,
    });
    expect(asked(/^update/)).toEqual([]);
    expect(await world.served()).toEqual(before);
  });

  it('takes over with all its instances once it is proven, and its candidate is gone before', async () => {
    await world.deploy('second', 'needed');
    world.inService();
    const answer = await world.deploy('second', 'given');
    expect(answer).toMatchObject({ status: 'started', isCandidate: false });
    expect(candidate()).toBeUndefined();
    expect(world.endpoints.asked.slice(-3).map((one) => one.split(' ')[0])).toEqual([
      'delete',
      'create',
      'update',
    ]);
    expect(world.endpoints.configs.get(answer.configName)!.hardware).toMatchObject({
      initialInstanceCount: 3,
    });
    world.inService(answer.configName);
    await world.finish('deployed', 'second');
    expect([...world.endpoints.configs.keys()]).toEqual([answer.configName]);
    expect(world.sagemaker.models.size).toBe(1);
  });

  it('leaves no trace where its candidate failed, and what serves was never touched', async () => {
    const before = await world.served();
    const configs = [...world.endpoints.configs.keys()];
    await world.deploy('second', 'needed');
    candidate()![1].status = 'Failed';
    expect(await world.rollBack('second')).toEqual({
      status: 'started',
      endpointName: before!.endpointName,
      configName: configs[0],
    });
    await world.finish('rolled-back', 'second');
    expect(candidate()).toBeUndefined();
    expect(asked(/^update/)).toEqual([]);
    expect(await world.served()).toEqual(before);
    expect([...world.endpoints.configs.keys()]).toEqual(configs);
    expect(world.sagemaker.models.size).toBe(1);
  });

  it('is taken back only when its candidate has come up, because SageMaker deletes none before', async () => {
    await world.deploy('second', 'needed');
    expect(await world.rollBack('second')).toMatchObject({ status: 'busy' });
    world.inService();
    expect(await world.rollBack('second')).toMatchObject({ status: 'started' });
    expect(candidate()).toBeUndefined();
  });

  it('has one candidate, however often its creation is asked for', async () => {
    await world.deploy('second', 'needed');
    expect(await world.deploy('second', 'needed')).toMatchObject({ isCandidate: true });
    expect(asked(/^create inferdrop.*-candidate-/)).toHaveLength(1);
  });

  it('does not take over the candidate of an execution that died', async () => {
    await world.deploy('second', 'needed');
    world.running.delete('second');
    // SageMaker deletes no endpoint that is coming up.
    expect(await world.deploy('third', 'needed')).toMatchObject({ status: 'busy' });
    expect(candidate()).toBeDefined();
    world.inService();
    expect(await world.deploy('third', 'needed')).toMatchObject({ status: 'busy' });
    expect(candidate()).toBeUndefined();
    await world.deploy('third', 'needed');
    expect(candidate()![1].tags['inferdrop:candidate-of']).toBe('third');
  });

  it('waits for a candidate that is still being deleted, and does not delete it twice', async () => {
    await world.deploy('second', 'needed');
    candidate()![1].status = 'Deleting';
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'busy' });
    expect(asked(/^delete/)).toEqual([]);
  });

  it('has no test on a candidate of another model, though the execution is the same', async () => {
    await world.deploy('second', 'needed');
    world.inService();
    world.changeModel('other');
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'busy' });
    expect(candidate()).toBeUndefined();
  });

  it('takes over only when its candidate is gone, whose instance counts until then', async () => {
    await world.deploy('second', 'needed');
    expect(await world.deploy('second', 'given')).toMatchObject({ status: 'busy' });
    expect(asked(/^update/)).toEqual([]);
    const [name, leaving] = candidate()!;
    leaving.status = 'Deleting';
    expect(await world.deploy('second', 'given')).toMatchObject({ status: 'busy' });
    world.endpoints.all.delete(name);
    expect(await world.deploy('second', 'given')).toMatchObject({ status: 'started', isCandidate: false });
  });

  it('has no candidate where it serves already, nor where nothing serves', async () => {
    world = await endpointWorld();
    expect(await world.deploy('first', 'needed')).toMatchObject({ isCandidate: false });
    world.inService();
    await world.finish('deployed');
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'unchanged' });
  });

  it('has a candidate of the same form where it is serverless', async () => {
    world = await endpointWorld({ type: 'serverless', maxConcurrency: 7 });
    await world.deployed();
    world.changeModel();
    const { configName } = await world.deploy('second', 'needed');
    expect(world.endpoints.configs.get(configName)!.hardware).toMatchObject({
      kind: 'serverless',
      maxConcurrency: 7,
    });
  });

  it.each([
    ['instance', 'serverless', 'runs on instances, and endpoint.type of the run is "serverless"'],
    ['serverless', 'instance', 'is serverless, and endpoint.type of the run is "instance"'],
  ] as const)(
    'refuses to make %s endpoints %s, which SageMaker does not undo',
    async (kind, other, words) => {
      world = await endpointWorld({ type: kind });
      await world.deployed();
      const before = await world.served();
      world.editPlan((plan) => void (plan.endpoint.type = other));
      await expect(world.deploy('second', 'needed')).rejects.toMatchObject({
        name: 'EndpointKindDiffers',
        message: expect.stringContaining(words),
      });
      expect(candidate()).toBeUndefined();
      expect(await world.served()).toEqual(before);
    },
  );

  it("never touches an endpoint that has a candidate's name without the application's tag", async () => {
    await world.deploy('second', 'needed');
    candidate()![1].tags = {};
    await expect(world.deploy('second', 'needed')).rejects.toMatchObject({
      name: 'EndpointNameTaken',
      message: `endpoint ${candidate()![0]} lacks the tags of this application, so it is not touched: delete it, and deploy again`,
    });
  });

  it.each(['inferdrop:application', 'inferdrop:candidate-of'])(
    "goes back without touching an endpoint that has a candidate's name without its tag %s",
    async (tag) => {
      await world.deploy('second', 'needed');
      world.inService();
      delete (candidate()![1].tags as Record<string, string>)[tag];
      expect(await world.rollBack('second')).toMatchObject({ status: 'started' });
      expect(candidate()).toBeDefined();
    },
  );
});

it('what is tested is not what an accelerator is migrated from', async () => {
  world = await endpointWorld();
  await world.deployed();
  world.editPlan((plan) => void (plan.endpoint.acceleratorType = 'ml.eia2.medium'));
  await world.deploy('second', 'needed');
  const services = { ...world.services, usdPerHour: () => null };
  expect(await findAcceleratorUses(services, 'replace')).toEqual([]);
});

describe('a candidate that is no longer tested', () => {
  it("goes with its pipeline's endpoint", async () => {
    await world.deploy('second', 'needed');
    world.running.delete('second');
    world.running.add('third');
    const request = { pipeline: PARTS.pipeline, executionArn: 'third' };
    expect(await deleteEndpoint(request, world.services)).toMatchObject({ status: 'busy' });
    world.inService();
    expect(await deleteEndpoint(request, world.services)).toMatchObject({ status: 'started' });
    expect(world.endpoints.all.size).toBe(0);
  });

  it('is deleted by the sweep, and one that is tested is not', async () => {
    await world.deploy('second', 'needed');
    expect(await world.sweep()).toMatchObject({ endpoints: 1, strays: 0 });
    world.inService();
    expect(await world.sweep()).toMatchObject({ endpoints: 1, strays: 0 });
    candidate()![1].status = 'Creating';
    world.running.delete('second');
    expect(await world.sweep()).toMatchObject({ strays: 0, failed: 0 });
    world.inService();
    expect(await world.sweep()).toMatchObject({ strays: 1, failed: 0 });
    expect(candidate()).toBeUndefined();
  });

  it('is deleted by the sweep once no execution can still need it', async () => {
    await world.deploy('second', 'needed');
    world.inService();
    world.pass(6 * HOUR);
    expect(await world.sweep()).toMatchObject({ strays: 1 });
  });

  it("is left alone where it is another application's", async () => {
    await world.deploy('second', 'needed');
    world.running.delete('second');
    candidate()![1].tags = { ...candidate()![1].tags, 'inferdrop:application': 'another-bucket' };
    expect(await world.sweep()).toMatchObject({ strays: 0 });
    expect(candidate()).toBeDefined();
  });
});
