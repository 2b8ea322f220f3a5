import { beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { deployEndpoint } from '../../../src/app/endpoint/deploy-endpoint.ts';
import { changeJson, claimChange, servedJson } from '../../../src/app/records/endpoint.ts';
import type { EndpointChange } from '../../../src/endpoint/change.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { NOW, PARTS, RUN } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

const HOUR = 3_600_000;

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld();
});

describe('a deployment', () => {
  it('creates model, configuration and endpoint, tagged, and says so when all serves', async () => {
    const answer = await world.deploy();
    expect(answer).toMatchObject({ status: 'started', previousConfigName: null });
    expect(await world.served()).toMatchObject({ status: 'creating', live: null });
    world.inService();
    await world.finish('deployed');
    const [[name, endpoint] = ['', undefined]] = world.endpoints.all;
    expect(name).toMatch(/^inferdrop-dev-shapes-[0-9a-f]{12}$/);
    expect(endpoint!.tags).toMatchObject({
      'inferdrop:application': 'bucket',
      'inferdrop:pipeline': 'shapes',
      'inferdrop:run': RUN,
      'inferdrop:sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
      'inferdrop:owner': 'unknown',
      'inferdrop:expires-at': new Date(NOW.getTime() + 8 * HOUR).toISOString(),
    });
    const found = (await world.served())!;
    expect(found).toMatchObject({ status: 'in-service', hourlyUsd: 0.2304 });
    expect(Object.keys(found.variants)).toEqual([found.live]);
    expect(await changeJson(PARTS.pipeline).read(world.store)).toBeUndefined();
  });

  it('writes down what it is about to do, and how its answers are read, before SageMaker is called', async () => {
    world.editPlan((plan) => {
      Object.assign(plan.labels, { classOffset: 1, threshold: 0.7, single: 'score', scores: 'logits' });
      plan.report.topK = [1, 3];
    });
    const { create } = world.endpoints;
    const written: unknown[] = [];
    Object.assign(world.endpoints, {
      create: async (request: Parameters<typeof create>[0]) => {
        written.push(await changeJson(PARTS.pipeline).read(world.store), await world.served());
        return create(request);
      },
    });
    const { endpointName, configName } = await world.deploy();
    const [[modelName, model] = ['', undefined]] = world.sagemaker.models;
    const { variantName, hardware } = world.endpoints.configs.get(configName)!;
    expect(hardware).toMatchObject({ instanceType: 'ml.m5.xlarge', initialInstanceCount: 1 });
    const plan = JSON.parse(world.store.text(bucketLayout.plan(PARTS))!);
    const at = NOW.toISOString();
    expect(written).toEqual([
      {
        schema: 1,
        action: 'deploy',
        executionArn: 'first',
        startedAt: at,
        run: RUN,
        endpointName,
        configName,
        previousConfigName: null,
        requested: true,
        inherited: false,
        candidateName: null,
        busyUntil: new Date(NOW.getTime() + 150_000).toISOString(),
      },
      {
        schema: 1,
        pipeline: 'shapes',
        endpointName,
        status: 'creating',
        live: null,
        deployedAt: at,
        expiresAt: null,
        idleHours: null,
        warnedAt: null,
        warnedOf: null,
        owner: null,
        autoscaling: null,
        hourlyUsd: null,
        maxHourlyUsd: null,
        variants: {
          [variantName]: {
            run: RUN,
            deployedBy: RUN,
            configName,
            modelName,
            modelSha256: plan.model.sha256,
            hardware: '1 × ml.m5.xlarge',
            component: null,
            kind: 'instance',
            inFunction: null,
            task: plan.labels.task,
            classes: plan.labels.classes,
            topK: 3,
            classOffset: 1,
            scores: 'logits',
            threshold: 0.7,
            single: 'score',
            contentType: plan.transform.contentType,
            accept: plan.transform.accept,
          },
        },
      },
    ]);
    expect(model!.roleArn).toBe(plan.model.executionRoleArn);
  });

  it('deletes an endpoint that has failed first, since it answers nothing and takes no update', async () => {
    const { configName } = await world.deployed();
    for (const endpoint of world.endpoints.all.values()) endpoint.status = 'Failed';
    world.changeModel();
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'busy' });
    expect(world.endpoints.all.size).toBe(0);
    const answer = await world.deploy('second', 'needed');
    expect(answer).toMatchObject({ status: 'started', isCandidate: false, previousConfigName: null });
    expect(answer.configName).not.toBe(configName);
  });

  it('is allowed where no gate is set', async () => {
    world.judge('none');
    expect(await world.deploy()).toMatchObject({ status: 'started' });
  });

  it('asks for nothing where the same content serves, but restarts its lifetime', async () => {
    await world.deployed();
    const before = [...world.endpoints.asked];
    world.pass(HOUR);
    expect(await world.deploy('second')).toMatchObject({ status: 'unchanged' });
    await world.finish('unchanged', 'second');
    expect(world.endpoints.asked).toEqual(before);
    expect((await world.served())!.expiresAt).toBe(new Date(NOW.getTime() + 9 * HOUR).toISOString());
  });

  it('does not renew its life for a run of files, but counts the setting of its owner', async () => {
    await world.deployed();
    world.pass(7.5 * HOUR);
    await world.sweep();
    const { warnedAt } = (await world.served())!;
    await world.deploy('second');
    await world.finish('unchanged', 'second', false);
    const expiresAt = new Date(NOW.getTime() + 8 * HOUR).toISOString();
    expect(await world.served()).toMatchObject({ deployedAt: NOW.toISOString(), expiresAt, warnedAt });
    expect(warnedAt).not.toBeNull();
    world.editPlan((plan) => void (plan.endpoint!.ttlHours = 20));
    await world.deploy('third');
    await world.finish('unchanged', 'third', false);
    expect(await world.served()).toMatchObject({
      deployedAt: NOW.toISOString(),
      expiresAt: new Date(NOW.getTime() + 20 * HOUR).toISOString(),
      warnedAt: null,
    });
  });

  it('keeps the name of the run that deployed it, next to the newest that agrees', async () => {
    await world.deployed();
    const { live, variants, ...served } = (await world.served())!;
    const deployedBy = 'shapes/sunday/000001';
    const older = { [live!]: { ...variants[live!]!, run: deployedBy, deployedBy } };
    await servedJson(PARTS.pipeline).write(world.store, { ...served, live, variants: older });
    await world.deploy('second');
    expect(await world.finish('unchanged', 'second', false)).toMatchObject({ deployedBy });
    expect((await world.served())!.variants[live!]).toMatchObject({ run: RUN, deployedBy });
    const [found] = world.endpoints.all.values();
    expect(found!.tags['inferdrop:run']).toBe(deployedBy);
    await world.deploy('third');
    expect(await world.finish('unchanged', 'third')).toMatchObject({ deployedBy: RUN });
  });

  it('has it asked as the newest run was, where only that changed', async () => {
    await world.deployed();
    world.editPlan((plan) => {
      Object.assign(plan.transform, { contentType: 'text/csv', accept: 'text/csv' });
      Object.assign(plan.labels, { threshold: 0.7 });
      plan.report.topK = [1, 4];
    });
    expect(await world.deploy('second')).toMatchObject({ status: 'unchanged' });
    await world.finish('unchanged', 'second');
    const { live, variants } = (await world.served())!;
    expect(variants[live!]).toMatchObject({
      contentType: 'text/csv',
      accept: 'text/csv',
      threshold: 0.7,
      topK: 4,
    });
  });

  it('waits while SageMaker changes the endpoint by itself', async () => {
    await world.deployed();
    for (const endpoint of world.endpoints.all.values()) endpoint.status = 'SystemUpdating';
    world.changeModel();
    expect(await world.deploy('second')).toMatchObject({ status: 'busy' });
  });

  it('waits while another execution changes the endpoint, and takes over where that one is dead', async () => {
    await world.deploy('first');
    expect(await world.deploy('second')).toMatchObject({ status: 'busy' });
    world.running.delete('first');
    world.inService();
    expect((await world.deploy('second')).status).not.toBe('busy');
    expect((await changeJson(PARTS.pipeline).read(world.store))!.executionArn).toBe('second');
  });

  it('is taken over by one of two that see the same dead execution at once', async () => {
    const claim = (executionArn: string, describeDead = async (): Promise<undefined> => undefined) =>
      claimChange(
        world.store,
        { describe: describeDead },
        PARTS.pipeline,
        { ...(change as EndpointChange), executionArn },
        world.clock(),
      );
    await world.deploy('first');
    const change = await changeJson(PARTS.pipeline).read(world.store);
    let faster: EndpointChange | undefined;
    const slower = await claim('slower', async () => void (faster = await claim('faster')));
    expect(faster).toMatchObject({ executionArn: 'faster' });
    expect(slower).toBeUndefined();
    expect(await changeJson(PARTS.pipeline).read(world.store)).toMatchObject({ executionArn: 'faster' });
  });

  it('has an endpoint tested that a dead execution left untested, though nothing changes', async () => {
    await world.deploy('first');
    world.inService();
    world.running.delete('first');
    const asked = [...world.endpoints.asked];
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'started', isCandidate: false });
    expect(world.endpoints.asked).toEqual(asked);
    expect((await changeJson(PARTS.pipeline).read(world.store))!.requested).toBe(true);
    await world.finish('deployed', 'second');
    expect(await world.served()).toMatchObject({ status: 'in-service' });
  });

  it('writes down again what serves, where that was lost', async () => {
    await world.deployed();
    const before = await world.served();
    await world.store.delete('endpoints/shapes/served.json');
    expect(await world.deploy('second', 'needed')).toMatchObject({ status: 'started' });
    await world.finish('deployed', 'second');
    expect(await world.served()).toEqual(before);
  });

  it('can be asked again after its answer was lost: it is created once', async () => {
    await world.deploy();
    expect(await world.deploy()).toMatchObject({ status: 'started' });
    world.inService();
    expect(await world.deploy()).toMatchObject({ status: 'started' });
    expect(world.endpoints.asked.filter((one) => /^create inferdrop/.test(one))).toHaveLength(1);
  });

  it('touches no endpoint of its name without its tag', async () => {
    await world.deployed();
    for (const endpoint of world.endpoints.all.values()) endpoint.tags = {};
    await expect(world.deploy('second')).rejects.toMatchObject({ name: 'EndpointNameTaken' });
    await expect(
      deleteEndpoint({ pipeline: PARTS.pipeline, executionArn: 'second' }, world.services),
    ).rejects.toMatchObject({ name: 'EndpointNameTaken' });
  });

  it('refuses a run whose gate failed, and one whose plan has no endpoint', async () => {
    world.judge('failed');
    await expect(world.deploy()).rejects.toMatchObject({ name: 'GateNotPassed' });
    world.judge('passed');
    world.editPlan((plan) => void (plan.endpoint = null));
    await expect(world.deploy()).rejects.toMatchObject({ name: 'EndpointNotPlanned' });
  });

  it('says why a run must not be served', async () => {
    world.judge('failed');
    await expect(world.deploy()).rejects.toThrow(
      `${RUN} must not be served. The gate failed. Deploy a run that passes`,
    );
    world.editPlan((plan) => void (plan.endpoint = null));
    await expect(world.deploy()).rejects.toThrow(`${RUN} has no endpoint in its plan`);
  });

  it('says of a run whose files have expired that it cannot be served any more', async () => {
    world.store.remove(bucketLayout.plan(PARTS));
    await expect(world.deploy()).rejects.toMatchObject({
      name: 'EndpointNotPlanned',
      message: expect.stringContaining('S3 has removed its files after RunsRetentionDays'),
    });
  });

  it('refuses a run whose own job.json decided what is right', async () => {
    world.editPlan((plan) => void (plan.judgedByDrop = ['labels.truth', 'input']));
    await expect(world.deploy()).rejects.toMatchObject({
      name: 'EndpointNotPlanned',
      message: expect.stringContaining(
        'To serve the model, set labels.truth in pipeline.json, copy the inputs to incoming/',
      ),
    });
    expect(world.endpoints.all.size).toBe(0);
  });

  it('registers autoscaling when it serves, and takes it away before an update', async () => {
    world = await endpointWorld({ autoscaling: { maxInstances: 3 } });
    await world.deployed();
    const { live } = (await world.served())!;
    expect(world.scaled).toEqual([[live, { minInstances: 1, maxInstances: 3, invocationsPerInstance: 600 }]]);
    world.changeModel();
    await world.deploy('second');
    expect(world.scaled.at(-1)).toEqual([live, 'deregistered']);
  });

  describe('off a retired accelerator', () => {
    const move = async (accelerator: 'replace' | 'cpu', change: object = {}, model: object = {}) => {
      world.editPlan((plan) => {
        Object.assign(plan.endpoint, { acceleratorType: 'ml.eia2.medium', ...change });
        Object.assign(plan.model, model);
      });
      world.running.add('first');
      await deployEndpoint(
        { run: PARTS, executionArn: 'first', accelerator, proof: 'needed' },
        world.services,
      );
      const [{ hardware }] = world.endpoints.configs.values() as unknown as [{ hardware: any }];
      const [{ imageUri }] = world.sagemaker.models.values() as unknown as [{ imageUri: string }];
      return { hardware, imageUri };
    };

    it.each([
      ['replace', 'ml.g4dn.xlarge', 'tensorflow-inference:2.20-gpu'],
      ['cpu', 'ml.m5.xlarge', 'tensorflow-inference:2.20-cpu'],
    ] as const)(
      'it runs by "%s" on %s, in the container for it',
      async (accelerator, instanceType, image) => {
        const { hardware, imageUri } = await move(accelerator);
        expect(hardware).toMatchObject({ instanceType, acceleratorType: null });
        expect(imageUri).toContain(image);
      },
    );

    it.each([
      'registry.example.com/own:1',
      '111122223333.dkr.ecr.us-east-1.amazonaws.com/own:1',
      '763104351884.dkr.ecr.us-east-1.example.com/own:1',
    ])("it keeps an image of the user's own, %s", async (imageUri) => {
      expect(await move('replace', { imageUri })).toMatchObject({
        hardware: { instanceType: 'ml.g4dn.xlarge' },
        imageUri,
      });
    });

    it('its image alone, of AWS, gives way to the one for the instance', async () => {
      const imageUri = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference-eia:2.3.0-cpu';
      expect(await move('replace', { acceleratorType: null, imageUri })).toMatchObject({
        hardware: { instanceType: 'ml.m5.xlarge' },
        imageUri: expect.stringContaining('/tensorflow-inference:2.20-cpu'),
      });
    });

    it("an image of the user's own that is for accelerators is refused, with what to name instead", async () => {
      const imageUri = '111122223333.dkr.ecr.us-east-1.amazonaws.com/own-eia:1';
      await expect(move('replace', { imageUri })).rejects.toMatchObject({
        name: 'EndpointNotPlanned',
        message: expect.stringContaining(`${imageUri} is for accelerators: name another in model.image`),
      });
    });

    it('it is refused where AWS has no container for the version', async () => {
      await expect(move('replace', {}, { frameworkVersion: '9.9.9' })).rejects.toMatchObject({
        name: 'EndpointNotPlanned',
        message: expect.stringContaining('cannot be moved off its accelerator: '),
      });
    });

    it('it costs another price than the quoted one, so that none is shown', async () => {
      await move('replace');
      world.inService();
      expect(await world.finish('deployed')).toMatchObject({ hourlyUsd: null });
    });

    it.each([
      ['replace', null, 'al2-ami-sagemaker-inference-gpu-2'],
      ['replace', 'al2-ami-sagemaker-inference-gpu-3', 'al2-ami-sagemaker-inference-gpu-3'],
      ['cpu', null, undefined],
    ] as const)(
      'it runs by "%s" on the machine image that the plan names (%s), or one whose driver fits: %s',
      async (accelerator, amiVersion, expected) => {
        const { hardware } = await move(accelerator, { amiVersion });
        expect(hardware.amiVersion).toBe(expected);
      },
    );

    it('nothing changes for a run without one', async () => {
      const imageUri = '000000000000.dkr.ecr.us-east-1.amazonaws.com/own:1';
      expect(await move('replace', { acceleratorType: null, imageUri })).toMatchObject({
        hardware: { instanceType: 'ml.m5.xlarge' },
        imageUri,
      });
    });
  });
});

describe('the next deployment', () => {
  it('updates blue/green, and removes what nothing uses any more', async () => {
    const first = await world.deployed();
    world.changeModel();
    const second = await world.deploy('second');
    expect(second).toMatchObject({ status: 'started', previousConfigName: (first as any).configName });
    const own = `${second.endpointName}-disagrees`;
    expect(world.endpoints.policies).toEqual([{ guardrails: true, rollbackAlarms: [own], bakeSeconds: 300 }]);
    expect(world.alarms.asked).toEqual([`watch ${own} of ${second.configName}`]);
    expect(Object.keys((await world.served())!.variants)).toHaveLength(2);
    world.inService((second as any).configName);
    expect(await world.finish('deployed', 'second')).toMatchObject({ removed: { configs: 1, models: 1 } });
    expect([...world.endpoints.configs.keys()]).toEqual([(second as any).configName]);
    expect(world.sagemaker.models.size).toBe(1);
  });

  it.each([
    [{ bakeSeconds: 0 }, { guardrails: true, rollbackAlarms: [], bakeSeconds: 0 }],
    [{ acceleratorType: 'ml.eia2.medium' }, { guardrails: false, rollbackAlarms: [], bakeSeconds: 300 }],
    [{ type: 'serverless' }, { guardrails: false, rollbackAlarms: [], bakeSeconds: 300 }],
  ])(
    'with %j has no alarm of its own: nothing is kept that it could bring back',
    async (endpoint, policy) => {
      const { type } = endpoint as { type?: string };
      world = await endpointWorld(type === undefined ? {} : { type });
      await world.deployed();
      world.editPlan((plan) => Object.assign(plan.endpoint, endpoint));
      world.changeModel();
      await world.deploy('second');
      expect(world.endpoints.policies).toEqual([policy]);
      expect(world.alarms.asked).toEqual([]);
    },
  );

  describe('with alarms of the user', () => {
    beforeEach(async () => {
      world = await endpointWorld({ rollbackAlarms: ['too slow'], bakeSeconds: 900 });
      await world.deployed();
      world.changeModel();
    });
    const asks = () => world.endpoints.asked.length;

    it('is watched by them and by its own', async () => {
      world.alarms.all.set('too slow', null);
      const { endpointName } = await world.deploy('second');
      expect(world.endpoints.policies).toEqual([
        { guardrails: true, rollbackAlarms: ['too slow', `${endpointName}-disagrees`], bakeSeconds: 900 },
      ]);
    });

    it.each([
      [
        'rings',
        new Date('2026-11-30T09:12:00Z'),
        'endpoint.rollbackAlarms: too slow is in ALARM since 2026-11-30T09:12:00.000Z: SageMaker would undo the update at ' +
          'once. Deploy again when it is OK',
      ],
      [
        'is missing',
        undefined,
        'endpoint.rollbackAlarms: too slow is not an alarm of this account and region: make it, or leave it out of pipeline.json',
      ],
    ])('is refused before anything is paid for if one %s', async (_, since, message) => {
      if (since !== undefined) world.alarms.all.set('too slow', since);
      const before = asks();
      for (const proof of ['needed', 'given'] as const)
        await expect(world.deploy('second', proof)).rejects.toMatchObject({
          name: 'RollbackAlarmUnready',
          message,
        });
      expect(asks()).toBe(before);
    });
  });

  it('waits while its own alarm still rings of an update before, which would undo it at once', async () => {
    const { endpointName } = await world.deployed();
    world.changeModel();
    world.alarms.all.set(`${endpointName}-disagrees`, new Date(0));
    expect(await world.deploy('second')).toEqual({ status: 'busy', waitSeconds: 5 });
    expect(world.endpoints.policies).toEqual([]);
    world.alarms.all.set(`${endpointName}-disagrees`, null);
    expect(await world.deploy('second')).toMatchObject({ status: 'started' });
  });

  it('is rolled back by its alarm while the old fleet is kept, and by an update of its own after that', async () => {
    const { endpointName, configName: first } = await world.deployed();
    world.changeModel();
    const { configName } = await world.deploy('second');
    const endpoint = world.endpoints.all.get(endpointName)!;
    expect(await world.rollBack('second')).toEqual({ status: 'busy', waitSeconds: 15 });
    endpoint.bakingConfigName = configName;
    const rung = `ring ${endpointName}-disagrees of ${configName}`;
    world.alarms.asked.length = 0;
    const updates = world.endpoints.policies.length;
    expect(await world.rollBack('second')).toEqual({ status: 'busy', waitSeconds: 5 });
    expect(world.alarms.asked).toEqual([rung]);
    endpoint.status = 'RollingBack';
    expect(await world.rollBack('second')).toEqual({ status: 'busy', waitSeconds: 15 });
    delete endpoint.bakingConfigName;
    world.inService(first);
    expect(await world.rollBack('second')).toEqual({ status: 'started', endpointName, configName: first });
    expect([world.alarms.asked, world.endpoints.policies.length]).toEqual([[rung], updates]);
    world.inService(configName);
    await world.rollBack('second');
    expect(world.endpoints.policies.length).toBe(updates + 1);
  });

  it('goes back to what passed its test, over the update of an execution that died', async () => {
    const { configName: first } = await world.deployed();
    world.changeModel('second');
    await world.deploy('second');
    world.endpoints.arrive();
    world.running.delete('second');
    world.changeModel('third');
    const third = await world.deploy('third', 'needed');
    expect(third).toMatchObject({ isCandidate: true, previousConfigName: first });
    expect(await changeJson(PARTS.pipeline).read(world.store)).toMatchObject({ inherited: true });
    world.endpoints.arrive();
    expect(await world.rollBack('third')).toMatchObject({ status: 'started', configName: first });
    expect(world.endpoints.asked.at(-1)).toMatch(`to ${first}`);
  });

  it('is rolled back without autoscaling, which SageMaker would refuse, and without guardrails', async () => {
    world = await endpointWorld({ autoscaling: { maxInstances: 3 } });
    await world.deployed();
    world.changeModel();
    const second = await world.deploy('second');
    world.inService(second.configName);
    world.scaled.length = 0;
    await world.rollBack('second');
    expect(world.scaled).toEqual([[expect.any(String), 'deregistered']]);
    expect(world.endpoints.policies.at(-1)).toEqual({
      guardrails: false,
      rollbackAlarms: [],
      bakeSeconds: 0,
    });
  });

  it("is not rolled back where nothing was asked, or where the endpoint is another's by now", async () => {
    world.running.add('second');
    expect(await world.rollBack('second')).toEqual({ status: 'nothing' });
    await world.deployed();
    world.changeModel();
    const second = await world.deploy('second');
    world.inService(second.configName);
    for (const endpoint of world.endpoints.all.values())
      endpoint.tags = { 'inferdrop:application': 'another-bucket' };
    const asked = world.endpoints.asked.length;
    expect(await world.rollBack('second')).toEqual({ status: 'nothing' });
    expect(world.endpoints.asked).toHaveLength(asked);
  });

  it('is rolled back to what served before', async () => {
    const first = await world.deployed();
    const before = await world.served();
    world.changeModel();
    const second = await world.deploy('second');
    world.inService((second as any).configName);
    const answer = await world.rollBack('second');
    expect(answer).toMatchObject({ status: 'started', configName: (first as any).configName });
    world.inService((first as any).configName);
    await world.finish('rolled-back', 'second');
    expect(await world.served()).toEqual(before);
    expect([...world.endpoints.configs.keys()]).toEqual([(first as any).configName]);
  });

  it('is rolled back when it is stopped while SageMaker updates, once the update has ended', async () => {
    const first = await world.deployed();
    world.changeModel();
    const second = await world.deploy('second');
    expect(await world.rollBack('second')).toMatchObject({ status: 'busy' });
    world.inService((second as any).configName);
    expect(await world.rollBack('second')).toMatchObject({ configName: (first as any).configName });
    expect(world.endpoints.asked.at(-1)).toMatch(`to ${(first as any).configName}`);
  });

  it('needs no way back where SageMaker took the update back by itself', async () => {
    const first = await world.deployed();
    world.changeModel();
    await world.deploy('second');
    const asked = world.endpoints.asked.length;
    world.inService();
    expect(await world.rollBack('second')).toMatchObject({ configName: (first as any).configName });
    expect(world.endpoints.asked).toHaveLength(asked);
  });

  it('is deleted where SageMaker failed to take the update back, since it answers no request and takes no update', async () => {
    await world.deployed();
    world.changeModel();
    const second = await world.deploy('second');
    world.inService((second as any).configName);
    const [name = '', endpoint] = [...world.endpoints.all][0]!;
    world.endpoints.all.set(name, { ...endpoint!, status: 'Failed' });
    expect(await world.rollBack('second')).toMatchObject({ status: 'started', configName: null });
    await world.finish('rolled-back', 'second');
    expect(world.endpoints.all.size).toBe(0);
    expect(await world.served()).toBeUndefined();
    expect(await changeJson(PARTS.pipeline).read(world.store)).toBeUndefined();
  });

  it('is deleted where nothing served before', async () => {
    await world.deploy();
    world.inService();
    const answer = await world.rollBack('first');
    expect(answer).toMatchObject({ status: 'started', configName: null });
    await world.finish('rolled-back');
    expect(world.endpoints.all.size + world.endpoints.configs.size + world.sagemaker.models.size).toBe(0);
    expect(await world.served()).toBeUndefined();
  });
});

it('an execution that had no turn touches nothing of another, and says what serves', async () => {
  await world.deployed();
  await world.deploy('first');
  const asked = [...world.endpoints.asked];
  const before = await world.served();
  const expiresAt = new Date(NOW.getTime() + 8 * HOUR).toISOString();
  expect(await world.finish('rolled-back', 'second')).toMatchObject({
    removed: { configs: 0, models: 0 },
    hadChange: false,
    hardware: '1 × ml.m5.xlarge',
    hourlyUsd: 0.2304,
    expiresAt,
  });
  expect(world.endpoints.asked).toEqual(asked);
  expect(await world.served()).toEqual(before);
  expect((await changeJson(PARTS.pipeline).read(world.store))!.executionArn).toBe('first');
});

describe('the check for stray endpoints', () => {
  it('leaves a young endpoint, warns of an old one once, then deletes it', async () => {
    await world.deployed();
    world.services.lastInvokedAt = new Date(NOW.getTime() + 7 * HOUR);
    expect(await world.sweep()).toMatchObject({ endpoints: 1, warned: 0, deleted: 0, failed: 0 });
    world.pass(7.5 * HOUR);
    expect(await world.sweep()).toMatchObject({ warned: 1 });
    expect(await world.sweep()).toMatchObject({ warned: 0, deleted: 0 });
    world.pass(HOUR);
    expect(await world.sweep()).toMatchObject({ deleted: 1 });
    expect(world.topic.messages).toHaveLength(1);
    expect(world.topic.messages[0]!.body).toContain('endpoint.ttlHours');
    const { deployedAt } = (await world.served())!;
    expect(world.started).toMatchObject([
      {
        name: expect.stringMatching(/^delete-shapes-/),
        input: {
          action: 'delete',
          pipeline: 'shapes',
          deployedAt,
          reason: 'its time was up (endpoint.ttlHours)',
        },
      },
    ]);
  });

  it('asks for one deletion of a deployment, and for another one of the next', async () => {
    const expire = async () => {
      world.pass(7.5 * HOUR);
      await world.sweep();
      world.pass(HOUR);
      expect(await world.sweep()).toMatchObject({ deleted: 1 });
      expect(await world.sweep()).toMatchObject({ deleted: 1 });
    };
    await world.deployed();
    await expire();
    expect(world.started).toHaveLength(1);
    await world.deploy('second');
    await world.finish('unchanged', 'second');
    await expire();
    expect(world.started).toHaveLength(2);
  });

  it('leaves an endpoint alone that is being changed, or deleted, or of which nothing is written down', async () => {
    await world.deployed();
    world.pass(8 * HOUR);
    const nothing = { warned: 0, deleted: 0, failed: 0 };
    world.running.add('second');
    world.changeModel();
    await world.deploy('second');
    expect(await world.sweep()).toMatchObject({ endpoints: 1, ...nothing });
    await world.store.delete(bucketLayout.endpointChange(PARTS.pipeline));
    for (const endpoint of world.endpoints.all.values()) endpoint.status = 'Deleting';
    expect(await world.sweep()).toMatchObject({ endpoints: 0, ...nothing });
    world.inService();
    await world.store.delete(bucketLayout.served(PARTS.pipeline));
    expect(await world.sweep()).toMatchObject({ endpoints: 1, ...nothing });
    expect([world.topic.messages, world.started]).toEqual([[], []]);
  });

  it('looks at the endpoints of its stage and pipelines alone, and at none that is gone by then', async () => {
    await world.deployed();
    const [[, endpoint] = ['', undefined]] = world.endpoints.all;
    world.endpoints.all.set('inferdrop-prod-shapes-0123456789ab', endpoint!);
    const { 'inferdrop:pipeline': _, ...tags } = endpoint!.tags;
    world.endpoints.all.set('inferdrop-dev-none-0123456789ab', { ...endpoint!, tags });
    const { names } = world.endpoints;
    world.endpoints.names = async function* (containing) {
      yield 'inferdrop-dev-gone-0123456789ab';
      yield* names(containing);
    };
    expect(await world.sweep()).toMatchObject({ endpoints: 1, failed: 0 });
  });

  it.each([
    [{}, [NOW, new Date(NOW.getTime() + HOUR)]],
    [{ ttlHours: null }, undefined],
    [{ idleHours: null }, undefined],
    [{ type: 'serverless' }, undefined],
  ])(
    'with %j reads the metric of its use since its deployment only where that counts',
    async (endpoint, range) => {
      world = await endpointWorld(endpoint);
      await world.deployed();
      world.pass(HOUR);
      const asked: unknown[][] = [];
      world.services.metrics.lastInvokedAt = async (...args: unknown[]) => void asked.push(args);
      await world.sweep();
      const { endpointName, live } = (await world.served())!;
      expect(asked).toEqual(
        range === undefined ? [] : [[endpointName, live, { from: range[0], to: range[1] }]],
      );
    },
  );

  it('does not take back what a deployment writes while people are warned', async () => {
    await world.deployed();
    const { publish } = world.topic;
    world.services.topic.publish = async (message) => {
      world.changeModel();
      await world.deploy('second');
      return publish(message);
    };
    world.pass(7.5 * HOUR);
    expect(await world.sweep()).toMatchObject({ warned: 1, failed: 0 });
    const { variants, warnedAt } = (await world.served())!;
    expect(Object.keys(variants)).toHaveLength(2);
    expect(warnedAt).toBeNull();
  });

  it('does not delete an endpoint that was deployed again before its deletion had its turn', async () => {
    await world.deployed();
    world.pass(7.5 * HOUR);
    await world.sweep();
    world.pass(HOUR);
    expect(await world.sweep()).toMatchObject({ deleted: 1 });
    const { deployedAt } = world.started[0]!.input;
    world.running.add('deletion').add('second');
    const deletion = { pipeline: PARTS.pipeline, executionArn: 'deletion', deployedAt };
    await world.deploy('second');
    expect(await deleteEndpoint(deletion, world.services)).toMatchObject({ status: 'busy' });
    await world.finish('unchanged', 'second');
    expect(await deleteEndpoint(deletion, world.services)).toEqual({ status: 'kept' });
    expect(await changeJson(PARTS.pipeline).read(world.store)).toBeUndefined();
    expect(await deleteEndpoint({ ...deletion, deployedAt: null }, world.services)).toMatchObject({
      status: 'started',
    });
  });

  it('deletes one without invocations', async () => {
    await world.deployed();
    world.pass(4 * HOUR);
    expect(await world.sweep()).toMatchObject({ warned: 1 });
    expect(world.topic.messages[0]!.body).toContain('It has not been invoked');
    world.pass(HOUR);
    expect(await world.sweep()).toMatchObject({ deleted: 1 });
    expect(world.started[0]!.input.reason).toContain('it had not been invoked for 4 hours');
  });

  it('keeps one whose ttlHours is null', async () => {
    world = await endpointWorld({ ttlHours: null });
    await world.deployed();
    world.pass(10_000 * HOUR);
    expect(await world.sweep()).toEqual({
      endpoints: 1,
      warned: 0,
      deleted: 0,
      restored: 0,
      strays: 0,
      failed: 0,
    });
  });

  it('never touches an endpoint without the tag, whatever its name', async () => {
    world.endpoints.all.set('inferdrop-dev-theirs-0123456789ab', {
      status: 'InService',
      configName: 'theirs',
      tags: { 'inferdrop:pipeline': 'shapes', 'inferdrop:application': 'another-bucket' },
    });
    world.pass(10_000 * HOUR);
    expect(await world.sweep()).toEqual({
      endpoints: 0,
      warned: 0,
      deleted: 0,
      restored: 0,
      strays: 0,
      failed: 0,
    });
    expect(world.started).toEqual([]);
  });

  it('goes back where the execution of a change has died', async () => {
    await world.deploy();
    expect(await world.sweep()).toMatchObject({ restored: 0 });
    world.running.clear();
    expect(await world.sweep()).toMatchObject({ restored: 1 });
    expect(world.started).toMatchObject([{ input: { action: 'restore', pipeline: 'shapes' } }]);
  });

  it('goes on after an endpoint that it cannot read', async () => {
    await world.deployed();
    world.store.put('endpoints/broken/change.json', 'no JSON');
    world.pass(8 * HOUR);
    const { describe: real } = world.endpoints;
    Object.assign(world.endpoints, {
      names: async function* () {
        yield* ['inferdrop-dev-broken', ...world.endpoints.all.keys()];
      },
      describe: async (name: string) => {
        if (name === 'inferdrop-dev-broken') throw new Error('denied');
        return real(name);
      },
    });
    expect(await world.sweep()).toMatchObject({ failed: 2, warned: 1 });
    const about = { error: expect.any(Error) };
    expect(world.warnings).toEqual([
      ['endpoint could not be swept', { pipeline: 'broken', ...about }],
      ['endpoint could not be swept', { endpoint: 'inferdrop-dev-broken', ...about }],
    ]);
  });
});

it('a model without a network serves without one, and replaces the same model with one', async () => {
  const before = await world.deployed();
  const isolated = (name: string) =>
    world.sagemaker.models.get(world.endpoints.configs.get(name)!.modelName)!;
  expect(isolated(before.configName).networkIsolation).toBe(false);
  world.editPlan((plan) => void (plan.model.networkIsolation = true));
  const after = await world.deploy('second');
  expect(after.configName).not.toBe(before.configName);
  expect(isolated(after.configName).networkIsolation).toBe(true);
});
