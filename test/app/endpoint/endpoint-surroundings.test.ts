import { beforeEach, describe, expect, it } from 'vitest';
import { checkEndpoint } from '../../../src/app/endpoint/check-endpoint.ts';
import { toContent } from '../../../src/app/endpoint/endpoint-content.ts';
import { listServed } from '../../../src/app/endpoint/list-served.ts';
import { findAcceleratorUses, migrateAccelerator } from '../../../src/app/endpoint/migrate-accelerators.ts';
import { notifyEndpoint } from '../../../src/app/endpoint/notify-endpoint.ts';
import { newestMessages } from '../../../src/app/overview/messages.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { NOW, PARTS, RUN } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';
import { memoryTopic } from '../../support/memory-topic.ts';

const HOUR = 3_600_000;
const CONFIG = bucketLayout.pipelineConfig(PARTS.pipeline);

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld();
});

describe('the list of what serves', () => {
  const list = () => listServed({ ...world.services, endpointPrefix: 'inferdrop-dev', bucket: 'bucket' });

  it('has a line for each pipeline that serves, with its candidate', async () => {
    expect(await list()).toEqual([]);
    await world.deploy();
    const creating = { pipeline: 'shapes', status: 'Creating', run: null, hardware: null };
    expect(await list()).toMatchObject([creating]);
    world.inService();
    await world.finish('deployed');
    world.running.delete('first');
    const line = {
      pipeline: 'shapes',
      status: 'InService',
      candidate: null,
      change: null,
      run: RUN,
      agrees: null,
      hardware: '1 × ml.m5.xlarge',
      endpoint: expect.stringMatching(/^inferdrop-dev-shapes-/),
      isPaidByUse: false,
      hourlyUsd: 0.2304,
      maxHourlyUsd: null,
      instances: 1,
      expiresAt: new Date(NOW.getTime() + 8 * HOUR).toISOString(),
    };
    expect(await list()).toEqual([line]);
    world.changeModel();
    await world.deploy('second', 'needed');
    const candidate = { endpoint: expect.stringMatching(/^inferdrop-dev-/), status: 'Creating' };
    const change = { action: 'deploy', run: RUN };
    expect(await list()).toEqual([{ ...line, candidate, change }]);
    world.endpoints.all.clear();
    expect(await list()).toMatchObject([{ status: 'gone', candidate: null, run: RUN }]);
    // Nothing serves a pipeline whose first deployment has its turn only now.
    world.store.put(bucketLayout.endpointChange('other'), '{}');
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['instance', { isPaidByUse: false, hourlyUsd: 0.2304 }],
    ['serverless', { isPaidByUse: true, hourlyUsd: null }],
    ['lambda', { isPaidByUse: true, hourlyUsd: null }],
  ])('tells how an endpoint of type %s is paid', async (type, price) => {
    world = await endpointWorld({ type });
    await world.deploy();
    world.inService();
    await world.finish('deployed');
    expect(await list()).toMatchObject([price]);
  });
});

it('is looked at again, later and later, until SageMaker has finished', async () => {
  const { endpointName, configName } = await world.deploy();
  const look = (poll: number) => checkEndpoint({ endpointName, configName, poll }, world.services);
  const first: any = await look(0);
  expect(first).toEqual({
    status: 'waiting',
    endpointStatus: 'Creating',
    waitSeconds: expect.any(Number),
    poll: 1,
  });
  expect(((await look(50)) as any).waitSeconds).toBeGreaterThan(first.waitSeconds);
  world.inService();
  expect(await look(1)).toEqual({ status: 'reached' });
});

describe('what an endpoint consists of', () => {
  const KEY = 'arn:aws:kms:us-east-1:000000000000:key/1';
  const planned = async (endpoint: object) => {
    const { hardware: _, ...rest } = await contentOf(endpoint);
    return rest;
  };
  const contentOf = async (endpoint: object) => {
    world.editPlan((plan) => {
      plan.transform.kmsKeyArn = KEY;
      Object.assign(plan.endpoint, endpoint);
    });
    const plan = JSON.parse(world.store.text(bucketLayout.plan(PARTS))!);
    return toContent({ plan, planned: plan.endpoint });
  };

  it.each([
    [{}, KEY],
    [{ instanceType: 'ml.g4dn.xlarge' }, null],
    [{ type: 'serverless' }, null],
    [{ type: 'serverless', instanceType: 'ml.g4dn.xlarge' }, null],
  ])('%j is encrypted with %s: local disks and serverless endpoints take no key', async (endpoint, key) => {
    expect(await planned(endpoint)).toMatchObject({ kmsKeyArn: key });
  });

  it('its model reads the archive by its digest, in the network that the plan names', async () => {
    const vpc = { subnets: ['subnet-1'], securityGroups: ['sg-1'] };
    world.editPlan((plan) => void (plan.model.vpc = vpc));
    await world.deploy();
    const [model] = world.sagemaker.models.values();
    expect(model).toMatchObject({
      vpc,
      artifactUri: expect.stringMatching(/^s3:\/\/bucket\/models\/[0-9a-f]{64}\//),
    });
    world = await endpointWorld();
    await world.deploy();
    expect([...world.sagemaker.models.values()][0]).not.toHaveProperty('vpc');
  });

  it.each([
    ['ResourceInUse', true],
    ['AccessDenied', false],
  ])('a model that another execution makes at the same time is taken, by %s: %s', async (name, isTaken) => {
    world.sagemaker.failNext('createModel', { name, message: name });
    const deployment = world.deploy();
    if (isTaken) expect(await deployment).toMatchObject({ status: 'started' });
    else await expect(deployment).rejects.toMatchObject({ name });
  });
});

describe('when a change has ended', () => {
  it('removes nothing of another pipeline, nor of another application', async () => {
    const { configName } = await world.deployed();
    const { modelName } = world.endpoints.configs.get(configName)!;
    const copies = {
      theirs: { 'inferdrop:application': 'another' },
      other: { 'inferdrop:pipeline': 'other' },
    };
    for (const [suffix, tags] of Object.entries(copies)) {
      const config = world.endpoints.configs.get(configName)!;
      world.endpoints.configs.set(`${configName}${suffix}`, { ...config, tags: { ...config.tags, ...tags } });
      const model = world.sagemaker.models.get(modelName)!;
      world.sagemaker.models.set(`${modelName}${suffix}`, { ...model, tags: { ...model.tags, ...tags } });
    }
    world.changeModel();
    const { configName: next } = await world.deploy('second');
    world.inService(next);
    expect((await world.finish('deployed', 'second')).removed).toEqual({ configs: 1, models: 1 });
    expect([...world.endpoints.configs.keys()].toSorted()).toEqual(
      [`${configName}other`, `${configName}theirs`, next].toSorted(),
    );
    expect([...world.sagemaker.models.keys()]).toHaveLength(3);
  });

  it('says what serves, and of a deleted endpoint how long it did and what that cost', async () => {
    await world.deploy();
    world.inService();
    expect(await world.finish('deployed')).toMatchObject({
      hardware: '1 × ml.m5.xlarge',
      hourlyUsd: 0.2304,
      maxHourlyUsd: null,
      servedHours: null,
      hadChange: true,
      expiresAt: new Date(NOW.getTime() + 8 * HOUR).toISOString(),
    });
    world.pass(3 * HOUR);
    await world.deploy('second');
    world.endpoints.all.clear();
    expect(await world.finish('deleted', 'second')).toMatchObject({
      configName: null,
      hardware: null,
      expiresAt: null,
      servedHours: 3,
      hourlyUsd: 0.2304,
      maxHourlyUsd: null,
    });
    expect(await world.served()).toBeUndefined();
    expect(await world.finish('deleted', 'second')).toMatchObject({
      servedHours: null,
      hourlyUsd: null,
      maxHourlyUsd: null,
    });
  });

  it('takes autoscaling away where the deployed run has none, and what it costs from all instances', async () => {
    world = await endpointWorld({ autoscaling: { maxInstances: 3 } });
    await world.deployed();
    const { live } = (await world.served())!;
    world.editPlan((plan) => Object.assign(plan.endpoint, { autoscaling: null, initialInstanceCount: 1 }));
    await world.deploy('second');
    await world.finish('unchanged', 'second');
    expect(world.scaled.slice(1)).toEqual([[live, 'deregistered']]);
    world = await endpointWorld({ initialInstanceCount: 3 });
    await world.deployed();
    expect(world.scaled).toEqual([]);
    expect(await world.served()).toMatchObject({ hourlyUsd: 0.6912, maxHourlyUsd: null });
  });

  it('costs what its new hardware does, also while the old variant is known', async () => {
    await world.deployed();
    world.editPlan((plan) => Object.assign(plan.endpoint, { instanceType: 'ml.c5.xlarge', hourlyUsd: 0.2 }));
    await world.deploy('second');
    world.endpoints.arrive();
    expect(await world.finish('deployed', 'second')).toMatchObject({
      hardware: '1 × ml.c5.xlarge',
      hourlyUsd: 0.2,
      maxHourlyUsd: null,
    });
  });

  it('ends its change also where nothing is written down of what serves, or where SageMaker runs another variant', async () => {
    world = await endpointWorld({ autoscaling: { maxInstances: 3 } });
    await world.deploy();
    world.inService();
    await world.store.delete(bucketLayout.served(PARTS.pipeline));
    expect(await world.finish('deployed')).toMatchObject({
      hardware: null,
      hourlyUsd: null,
      maxHourlyUsd: null,
    });
    expect(await world.served()).toBeUndefined();
    await world.deploy('second');
    world.endpoints.configs.clear();
    expect(await world.finish('deployed', 'second')).toMatchObject({ hardware: null });
    expect(await world.served()).toMatchObject({ status: 'creating', live: null, variants: {} });
    expect(world.scaled).toEqual([]);
  });

  it('a serverless endpoint is neither idle nor scaled, and has no price by the hour', async () => {
    world = await endpointWorld({ type: 'serverless' });
    world.editPlan((plan) =>
      Object.assign(plan.endpoint, {
        autoscaling: { minInstances: 1, maxInstances: 2, invocationsPerInstance: 600 },
      }),
    );
    await world.deployed();
    expect(await world.served()).toMatchObject({
      idleHours: null,
      autoscaling: null,
      hourlyUsd: null,
      maxHourlyUsd: null,
    });
    expect(world.scaled).toEqual([]);
  });

  it('what goes back keeps the settings of what serves', async () => {
    await world.deployed();
    const before = await world.served();
    world.editPlan((plan) => void (plan.endpoint.ttlHours = 99));
    world.changeModel();
    await world.deploy('second');
    world.inService();
    world.pass(HOUR);
    await world.finish('rolled-back', 'second');
    expect(await world.served()).toEqual(before);
  });
});

describe('uses of a retired accelerator', () => {
  const EIA = 'ml.eia2.medium';
  const pipelineOf = (endpoint: object) =>
    JSON.stringify({ ...JSON.parse(world.store.text(CONFIG)!), endpoint });
  const services = () => ({
    ...world.services,
    usdPerHour: (type: string) => (type === 'ml.m5.xlarge' ? 0.23 : 0.74),
  });
  const find = (to: 'replace' | 'cpu' = 'replace') => findAcceleratorUses(services(), to);
  const migrate = (use: Awaited<ReturnType<typeof find>>[number]) =>
    migrateAccelerator(use, 'replace', {
      store: world.store,
      endpointChanges: world.services.executions,
      key: 'k',
    });

  it('in a pipeline are replaced in its file, and nothing else of it', async () => {
    world.store.put(CONFIG, pipelineOf({ acceleratorType: EIA, instanceType: 'ml.m5.xlarge', ttlHours: 3 }));
    const [use, ...others] = await find();
    expect(others).toEqual([]);
    expect(use).toEqual({
      kind: 'pipeline',
      name: 'shapes',
      ours: true,
      pipeline: 'shapes',
      run: null,
      acceleratorType: EIA,
      instanceType: 'ml.m5.xlarge',
      becomes: 'ml.g4dn.xlarge',
      note: expect.stringMatching(
        /^AWS retired Elastic Inference \(ml.eia2.medium with \d+ GB\).*: ml.g4dn.xlarge is used instead of ml.m5.xlarge with it, for \$0.74 an hour instead of \$\d/,
      ),
    });
    expect((await find('cpu'))[0]).toMatchObject({ becomes: 'ml.m5.xlarge' });
    expect(await migrate(use!)).toEqual({ executionArn: null });
    expect(JSON.parse(world.store.text(CONFIG)!)).toMatchObject({
      model: { framework: 'tensorflow' },
      endpoint: { acceleratorType: null, instanceType: 'ml.g4dn.xlarge', ttlHours: 3 },
    });
    expect(await find()).toEqual([]);
    expect(world.started).toEqual([]);
  });

  it.each(['no JSON', '{"endpoint": {"acceleratorType": 7}}'])(
    'are not found in a pipeline.json that reads %s',
    async (text) => {
      world.store.put(CONFIG, text);
      expect(await find()).toEqual([]);
    },
  );

  it('in an endpoint are replaced by a deployment of the run that it serves', async () => {
    await world.deployed();
    const [config] = world.endpoints.configs.values();
    world.endpoints.configs.set(config!.name, {
      ...config!,
      hardware: { ...config!.hardware, acceleratorType: EIA } as NonNullable<typeof config>['hardware'],
    });
    const [use, ...others] = await find();
    expect(others).toEqual([]);
    expect(use).toMatchObject({
      kind: 'endpoint',
      name: [...world.endpoints.all.keys()][0],
      ours: true,
      pipeline: 'shapes',
      run: RUN,
      acceleratorType: EIA,
      instanceType: 'ml.m5.xlarge',
      becomes: 'ml.g4dn.xlarge',
    });
    expect((await migrate(use!)).executionArn).toMatch(/:deploy-shapes-/);
    expect(world.started).toMatchObject([
      { input: { action: 'deploy', pipeline: 'shapes', run: RUN, accelerator: 'replace' } },
    ]);
    const document = bucketLayout.served(PARTS.pipeline);
    const served = world.store.text(document)!;
    world.store.remove(document);
    expect(await find()).toMatchObject([{ ours: false, pipeline: 'shapes', run: null }]);
    world.store.put(document, served);
    const tagged = { 'inferdrop:pipeline': 'shapes', 'inferdrop:application': 'another' };
    for (const endpoint of world.endpoints.all.values()) endpoint.tags = tagged;
    expect(await find()).toMatchObject([{ ours: false, pipeline: 'shapes' }]);
    for (const endpoint of world.endpoints.all.values()) endpoint.tags = {};
    const [theirs] = await find();
    expect(theirs).toMatchObject({ ours: false, pipeline: null, run: null });
    for (const untouched of [
      theirs!,
      { ...use!, ours: false },
      { ...use!, run: null },
      { ...use!, pipeline: null },
    ])
      expect(await migrate(untouched)).toEqual({ executionArn: null });
    expect(world.started).toHaveLength(1);
  });

  it('by an image alone count too, serverless endpoints and what has no model do not', async () => {
    await world.deployed();
    const [[name, model] = ['', undefined]] = world.sagemaker.models;
    world.sagemaker.models.set(name, { ...model!, imageUri: 'r/tensorflow-inference-eia:2.3.0-cpu' });
    expect(await find()).toMatchObject([
      { acceleratorType: null, note: 'its image r/tensorflow-inference-eia:2.3.0-cpu is for accelerators' },
    ]);
    world.sagemaker.models.set(name, { ...model!, imageUri: 'r/my-eia-like:1' });
    expect(await find()).toEqual([]);
    world.sagemaker.models.clear();
    expect(await find()).toEqual([]);
    world.endpoints.configs.clear();
    expect(await find()).toEqual([]);
    world = await endpointWorld({ type: 'serverless' });
    await world.deployed();
    expect(await find()).toEqual([]);
  });
});

describe('the message about a change', () => {
  const SERVING = {
    endpointName: 'e',
    configName: 'c',
    hardware: '1 × ml.m5.xlarge',
    deployedBy: RUN,
    expiresAt: '2026-03-01T20:00:00.000Z',
    hourlyUsd: 0.25,
    maxHourlyUsd: null,
    servedHours: null,
    removed: { configs: 0, models: 0 },
    hadChange: true,
  };
  const GONE = { ...SERVING, configName: null, servedHours: 4 };
  type News = Parameters<typeof notifyEndpoint>[0];
  const about = { pipeline: 'shapes', run: RUN, reason: 'the reason', tested: 5 };

  it.each<[Partial<News>, string, readonly (string | RegExp)[]]>([
    [
      { action: 'deploy', outcome: 'deployed', finished: SERVING },
      'is deployed',
      [RUN, 'Tested     5 of', '1 × ml.m5.xlarge', '$0.25 an hour', '2026-03-01T20:00'],
    ],
    [
      { action: 'deploy', outcome: 'unchanged', finished: SERVING },
      'serves already',
      ['so nothing was changed'],
    ],
    [
      { action: 'deploy', outcome: 'deployed', finished: null },
      'could not be changed',
      ['the endpoint was deleted meanwhile', 'inferdrop endpoints deploy shapes'],
    ],
    [
      { action: 'deploy', outcome: 'unchanged', finished: GONE },
      'could not be changed',
      ['the endpoint was deleted meanwhile'],
    ],
    [
      { action: 'deploy', outcome: 'rolled-back', finished: SERVING },
      'was rolled back',
      ['the reason', 'The previous model serves'],
    ],
    [
      { action: 'deploy', outcome: 'rolled-back', finished: GONE, reason: null },
      'was rolled back',
      ['no reason was given', 'Nothing serves: the new endpoint was deleted'],
    ],
    [
      { action: 'restore', outcome: 'rolled-back', finished: SERVING },
      'was rolled back',
      ['The previous model serves'],
    ],
    [{ action: 'restore', outcome: 'rolled-back', finished: null }, 'was rolled back', ['Nothing serves']],
    [
      { action: 'restore', outcome: 'rolled-back', finished: { ...SERVING, hadChange: false } },
      'needs no repair',
      ['It serves what was deployed last'],
    ],
    [
      { action: 'deploy', outcome: 'rolled-back', finished: { ...SERVING, hadChange: false } },
      'was rolled back',
      ['The previous model serves'],
    ],
    [
      {
        action: 'deploy',
        outcome: 'deployed',
        finished: { ...SERVING, hardware: null, hourlyUsd: null, maxHourlyUsd: null, expiresAt: null },
      },
      'is deployed',
      ['Hardware   not known', 'By use, or unknown', 'it is deleted by hand'],
    ],
    [
      { action: 'delete', outcome: 'deleted', finished: GONE },
      'is deleted',
      ['the reason', '$1.00 since its last deployment, 4 h 00 min ago'],
    ],
    [{ action: 'delete', outcome: 'deleted', finished: null }, 'is deleted', ['the reason']],
    [
      { action: 'delete', outcome: 'failed', finished: null },
      'could not be changed',
      ['the reason', 'inferdrop endpoints delete shapes'],
    ],
    [
      { action: 'restore', outcome: 'failed', finished: null },
      'could not be changed',
      ['inferdrop endpoints deploy shapes'],
    ],
  ])('%j: the endpoint %s', async (news, headline, words) => {
    const topic = memoryTopic();
    await notifyEndpoint({ ...about, ...news } as News, { ...world.services, topic });
    const [message] = topic.messages;
    expect(message!.subject).toBe(`inferdrop: endpoint of shapes ${headline}`);
    expect(message!.body).toMatch(/Endpoint {3}inferdrop-dev-shapes-[0-9a-f]{12}\n$/);
    for (const word of words)
      expect(message!.body).toEqual(
        typeof word === 'string' ? expect.stringContaining(word) : expect.stringMatching(word),
      );
    expect(await newestMessages(world.store, 10)).toEqual([
      {
        run: null,
        pipeline: 'shapes',
        isSent: true,
        at: world.services.clock().toISOString(),
        subject: message!.subject,
        body: message!.body,
      },
    ]);
  });
});
