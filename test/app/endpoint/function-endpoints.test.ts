import { beforeEach, describe, expect, it } from 'vitest';
import { checkEndpoint } from '../../../src/app/endpoint/check-endpoint.ts';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { endpointRuntime } from '../../../src/app/endpoint/function/endpoint-runtime.ts';
import { withFunctionEndpoints } from '../../../src/app/endpoint/function/function-endpoints.ts';
import { functionConfigJson, functionEndpointJson } from '../../../src/app/records/endpoint.ts';
import { liveVariant } from '../../../src/endpoint/served.ts';
import type { FunctionModel } from '../../../src/endpoints/function/function-model.ts';
import { NOW, PARTS } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';
import { memoryEndpoints } from '../../support/memory-endpoints.ts';

const { pipeline } = PARTS;
const HOUR = 3_600_000;

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld({ type: 'lambda' });
});
/** Documents that stand in for resources, by their folder and name. */
const documents = () => world.store.keys().filter((key) => key.startsWith('functions/'));
const live = async () => liveVariant(await world.served());
const check = (endpointName: string, configName: string | null) =>
  checkEndpoint({ endpointName, configName, poll: 0 }, world.services);
/** Which release a request to an endpoint reaches. */
async function released(endpointName: string): Promise<string | undefined> {
  const asked: FunctionModel[] = [];
  const functions = {
    answer: async (_: string, model: FunctionModel) => {
      asked.push(model);
      return Buffer.from('{}');
    },
  };
  const sagemaker = { invoke: () => Promise.reject(new Error('SageMaker is not asked')) };
  const request = { contentType: 'image/png', accept: 'application/json', body: Buffer.from('png') };
  const runtime = endpointRuntime(world.store, sagemaker, functions);
  expect((await runtime.invoke(endpointName, request)).variant).not.toBe('');
  return asked[0]!.environment.RELEASE;
}

it('is deployed without a call to SageMaker that makes anything, has no price by the hour, and no end', async () => {
  const { endpointName, configName } = await world.deployed();
  expect(await check(endpointName, configName)).toEqual({ status: 'reached' });
  expect(documents()).toEqual([
    `functions/configs/${configName}.json`,
    `functions/endpoints/${endpointName}.json`,
  ]);
  expect([world.endpoints.asked, world.sagemaker.models.size]).toEqual([[], 0]);
  const served = await world.served();
  expect(served).toMatchObject({
    status: 'in-service',
    hourlyUsd: null,
    maxHourlyUsd: null,
    autoscaling: null,
    expiresAt: null,
    idleHours: null,
  });
  expect(liveVariant(served)).toMatchObject({
    hardware: 'lambda, 1769 MB',
    kind: 'lambda',
    inFunction: { sha256: liveVariant(served)!.modelSha256 },
  });
  const { tags } = (await functionEndpointJson(endpointName).read(world.store))!;
  expect(tags).toMatchObject({ 'inferdrop:application': 'bucket', 'inferdrop:expires-at': 'never' });
});

describe('another model', () => {
  let before: Awaited<ReturnType<typeof live>>;
  let endpointName: string;
  beforeEach(async () => {
    ({ endpointName } = await world.deployed());
    before = await live();
    world.changeModel('next');
  });

  it('is tested on a candidate, which callers never reach, and takes over when it has passed twice', async () => {
    const candidate = await world.deploy('second', 'needed');
    expect(candidate).toMatchObject({ status: 'started', isCandidate: true });
    expect(await released(candidate.endpointName)).toBe('next');
    expect([await released(endpointName), await live()]).toEqual([undefined, before]);

    expect(await world.deploy('second', 'given')).toMatchObject({ isCandidate: false, endpointName });
    expect(await functionEndpointJson(candidate.endpointName).read(world.store)).toBeUndefined();
    // The second test asks what will serve; callers are answered as before until it has passed.
    expect([await released(endpointName), await live()]).toEqual(['next', before]);
    await world.finish('deployed', 'second');
    expect((await live())!.inFunction!.environment).toEqual({ RELEASE: 'next' });
    expect(documents()).toHaveLength(2);
  });

  it('that fails its second test was never reached by a caller, and leaves nothing', async () => {
    const kept = documents();
    await world.deploy('second', 'needed');
    await world.deploy('second', 'given');
    expect(await world.rollBack('second')).toMatchObject({
      status: 'started',
      configName: before!.configName,
    });
    await world.finish('rolled-back', 'second');
    expect([await released(endpointName), await live(), documents()]).toEqual([undefined, before, kept]);
  });

  it('whose execution has died is undone by the sweep, with its candidate', async () => {
    const kept = documents();
    await world.deploy('second', 'needed');
    world.running.delete('second');
    await world.sweep();
    const repair = world.started.at(-1)!;
    expect(repair.input).toMatchObject({ action: 'restore', pipeline });
    world.running.add('repair');
    await world.rollBack('repair');
    await world.finish('rolled-back', 'repair');
    expect([await live(), documents()]).toEqual([before, kept]);
  });

  it('does not take the place of one on instances: an endpoint keeps its kind', async () => {
    world.editPlan((plan) => void (plan.endpoint.type = 'instance'));
    await expect(world.deploy('second', 'needed')).rejects.toMatchObject({
      name: 'EndpointKindDiffers',
      message: expect.stringContaining(
        'runs in functions of Lambda, and endpoint.type of the run is "instance"',
      ),
    });
  });
});

it('is never swept for its age, and is deleted by hand with all that it is', async () => {
  const { endpointName } = await world.deployed();
  world.pass(1_000 * HOUR);
  expect(await world.sweep()).toMatchObject({ endpoints: 1, warned: 0, deleted: 0, failed: 0 });
  world.running.add('end');
  await deleteEndpoint({ pipeline, executionArn: 'end' }, world.services);
  expect(await check(endpointName, null)).toEqual({ status: 'reached' });
  await world.finish('deleted', 'end');
  expect([documents(), await world.served()]).toEqual([[], undefined]);
});

it('with ttlHours is announced and ends like others', async () => {
  world = await endpointWorld({ type: 'lambda', ttlHours: 8 });
  await world.deployed();
  world.pass(7.5 * HOUR);
  expect(await world.sweep()).toMatchObject({ warned: 1, deleted: 0 });
  world.pass(1 * HOUR);
  expect(await world.sweep()).toMatchObject({ warned: 0, deleted: 1 });
});

it('stands beside those of SageMaker: each is asked about its own', async () => {
  const sagemaker = memoryEndpoints();
  const endpoints = withFunctionEndpoints(world.store, sagemaker, () => NOW);
  const hardware = { kind: 'serverless', memorySizeInMB: 1024, maxConcurrency: 1 } as const;
  const config = { name: 'other', variantName: 'v', modelName: 'm', hardware, kmsKeyArn: null, tags: {} };
  await endpoints.createConfig(config);
  await endpoints.create({ name: 'inferdrop-dev-other', configName: 'other', tags: { a: 'b' } });
  const { endpointName, configName } = await world.deployed();
  expect(await Array.fromAsync(endpoints.names('inferdrop-dev-'))).toEqual([
    endpointName,
    'inferdrop-dev-other',
  ]);
  expect(await Array.fromAsync(endpoints.configNames())).toEqual([configName, 'other']);
  const other = (await endpoints.describe('inferdrop-dev-other'))!;
  expect([other.status, await endpoints.tagsOf(other.arn)]).toEqual(['Creating', { a: 'b' }]);
  await expect(endpoints.create({ name: endpointName, configName, tags: {} })).rejects.toMatchObject({
    name: 'ResourceInUse',
  });
  sagemaker.arrive();
  await endpoints.delete('inferdrop-dev-other');
  await endpoints.deleteConfig('other');
  expect([sagemaker.all.size, sagemaker.configs.size]).toEqual([0, 0]);
  expect(await functionConfigJson(configName).read(world.store)).toBeDefined();
});
