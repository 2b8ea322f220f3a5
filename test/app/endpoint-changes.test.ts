import { beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../src/app/endpoint/delete-endpoint.ts';
import { deployEndpoint } from '../../src/app/endpoint/deploy-endpoint.ts';
import { readChange, readServed } from '../../src/app/endpoint/endpoint-change.ts';
import { finishEndpoint } from '../../src/app/endpoint/finish-endpoint.ts';
import { planRun } from '../../src/app/plan/plan-run.ts';
import { rollBackEndpoint } from '../../src/app/endpoint/roll-back-endpoint.ts';
import { sweepEndpoints } from '../../src/app/endpoint/sweep-endpoints.ts';
import type { ScalingSpec } from '../../src/aws/scaling.ts';
import { bucketLayout } from '../../src/drop/bucket-layout.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../support/drop-fixture.ts';
import type { MemoryEndpoints } from '../support/memory-endpoints.ts';
import { memoryEndpoints } from '../support/memory-endpoints.ts';
import type { MemoryObjectStore } from '../support/memory-object-store.ts';
import { memorySageMaker } from '../support/memory-sagemaker.ts';
import { memoryTopic } from '../support/memory-topic.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-endpoint';
const HOUR = 3_600_000;

let world: Awaited<ReturnType<typeof createWorld>>;
beforeEach(async () => {
  world = await createWorld();
});

/** A planned run whose gate has passed, and everything that changes endpoints. */
async function createWorld(endpoint: object = {}) {
  const store: MemoryObjectStore = await frozenDrop({ pipeline: pipelineWith(endpoint) });
  await planRun({ run: RUN }, { store, clock: () => NOW, settings: SETTINGS });
  judge(store, 'passed');
  const sagemaker = memorySageMaker();
  const endpoints: MemoryEndpoints = memoryEndpoints(sagemaker.models);
  const running = new Set<string>();
  const started: { name: string; input: any }[] = [];
  const scaled: [string, ScalingSpec | 'deregistered'][] = [];
  return {
    store,
    sagemaker,
    endpoints,
    running,
    started,
    scaled,
    topic: memoryTopic(),
    now: NOW.getTime(),
    scope: { prefix: 'inferdrop-dev' },
    clock: (): Date => new Date(world.now),
    scaling: {
      register: async (_: string, variant: string, spec: ScalingSpec) => void scaled.push([variant, spec]),
      deregister: async (_: string, variant: string) => void scaled.push([variant, 'deregistered']),
    },
    executions: {
      describe: async (arn: string) => (running.has(arn) ? ({ status: 'RUNNING' } as any) : undefined),
      start: async (name: string, input: string) => {
        started.push({ name, input: JSON.parse(input) });
        return { outcome: 'started' as const, arn: `${MACHINE}:${name}` };
      },
    },
    lastInvokedAt: undefined as Date | undefined,
    metrics: { lastInvokedAt: async (): Promise<Date | undefined> => world.lastInvokedAt },
    warnings: [] as unknown[],
    warn: (message: string, facts: unknown) => void world.warnings.push([message, facts]),
  };
}
const pipelineWith = (endpoint: object) => ({
  ...PIPELINE,
  gate: { minAccuracy: 0.5 },
  endpoint: { deploy: 'when-gate-passes', ...endpoint },
});
const judge = (store: MemoryObjectStore, verdict: string) =>
  store.put(
    bucketLayout.reportJson(PARTS),
    JSON.stringify({ gate: { verdict, explanation: `The gate ${verdict}.` } }),
  );
const deploy = (executionArn = 'first') => {
  world.running.add(executionArn);
  return deployEndpoint({ run: RUN, executionArn }, world);
};
/** SageMaker has done what it was asked. */
const settle = (configName?: string) => {
  for (const endpoint of world.endpoints.all.values()) {
    endpoint.status = 'InService';
    if (configName !== undefined) endpoint.configName = configName;
  }
};
const finish = (outcome: 'deployed' | 'unchanged' | 'rolled-back' | 'deleted', executionArn = 'first') =>
  finishEndpoint({ pipeline: PARTS.pipeline, executionArn, outcome, run: RUN }, world);
const deployed = async () => {
  const answer = await deploy();
  settle();
  await finish('deployed');
  return answer;
};
const servedNow = () => readServed(world.store, PARTS.pipeline);

describe('a deployment', () => {
  it('creates model, configuration and endpoint, tagged, and says so when all serves', async () => {
    const answer = await deploy();
    expect(answer).toMatchObject({ status: 'started', previousConfigName: null });
    expect(await servedNow()).toMatchObject({ status: 'creating', live: null });
    settle();
    await finish('deployed');
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
    const found = (await servedNow())!;
    expect(found).toMatchObject({ status: 'in-service', hourlyUsd: 0.2304 });
    expect(Object.keys(found.variants)).toEqual([found.live]);
    expect(await readChange(world.store, PARTS.pipeline)).toBeUndefined();
  });

  it('asks for nothing where the same content serves, but starts its time anew', async () => {
    await deployed();
    const before = [...world.endpoints.asked];
    world.now += HOUR;
    expect(await deploy('second')).toMatchObject({ status: 'unchanged' });
    await finish('unchanged', 'second');
    expect(world.endpoints.asked).toEqual(before);
    expect((await servedNow())!.expiresAt).toBe(new Date(NOW.getTime() + 9 * HOUR).toISOString());
  });

  it('waits while another execution changes the endpoint, and takes over where that one is dead', async () => {
    await deploy('first');
    expect(await deploy('second')).toMatchObject({ status: 'busy' });
    world.running.delete('first');
    settle();
    expect((await deploy('second')).status).not.toBe('busy');
    expect((await readChange(world.store, PARTS.pipeline))!.executionArn).toBe('second');
  });

  it('can be asked again after its answer was lost: it is created once', async () => {
    await deploy();
    expect(await deploy()).toMatchObject({ status: 'started' });
    settle();
    expect(await deploy()).toMatchObject({ status: 'started' });
    expect(world.endpoints.asked.filter((one) => /^create inferdrop/.test(one))).toHaveLength(1);
  });

  it('touches no endpoint of its name without its tag', async () => {
    await deployed();
    for (const endpoint of world.endpoints.all.values()) endpoint.tags = {};
    await expect(deploy('second')).rejects.toMatchObject({ name: 'EndpointNameTaken' });
    await expect(
      deleteEndpoint({ pipeline: PARTS.pipeline, executionArn: 'second' }, world),
    ).rejects.toMatchObject({ name: 'EndpointNotOurs' });
  });

  it('refuses a run whose gate failed, and one whose plan has no endpoint', async () => {
    judge(world.store, 'failed');
    await expect(deploy()).rejects.toMatchObject({ name: 'GateNotPassed' });
    judge(world.store, 'passed');
    const plan = JSON.parse(world.store.text(bucketLayout.plan(PARTS))!);
    world.store.put(bucketLayout.plan(PARTS), JSON.stringify({ ...plan, endpoint: null }));
    await expect(deploy()).rejects.toMatchObject({ name: 'EndpointNotPlanned' });
  });

  it('registers autoscaling when it serves, and takes it away before an update', async () => {
    world = await createWorld({ autoscaling: { maxInstances: 3 } });
    await deployed();
    const { live } = (await servedNow())!;
    expect(world.scaled).toEqual([[live, { minInstances: 1, maxInstances: 3, invocationsPerInstance: 600 }]]);
    changeModel();
    await deploy('second');
    expect(world.scaled.at(-1)).toEqual([live, 'deregistered']);
  });

  it('moves off a retired accelerator where it is asked to', async () => {
    world = await createWorld({ acceleratorType: null });
    const plan = JSON.parse(world.store.text(bucketLayout.plan(PARTS))!);
    plan.endpoint.acceleratorType = 'ml.eia2.medium';
    world.store.put(bucketLayout.plan(PARTS), JSON.stringify(plan));
    world.running.add('first');
    await deployEndpoint({ run: RUN, executionArn: 'first', accelerator: 'replace' }, world);
    const [config] = world.endpoints.configs.values();
    expect(config!.hardware).toMatchObject({ instanceType: 'ml.g4dn.xlarge', acceleratorType: null });
    const [model] = world.sagemaker.models.values();
    expect(model!.imageUri).toContain('tensorflow-inference:2.19.0-gpu');
  });
});

/** The same run as if it had been planned with another model. */
function changeModel(): void {
  const plan = JSON.parse(world.store.text(bucketLayout.plan(PARTS))!);
  plan.model.environment = { RELEASE: String(Math.floor(world.store.requests.length)) };
  world.store.put(bucketLayout.plan(PARTS), JSON.stringify(plan));
}

describe('the next deployment', () => {
  it('updates blue/green, and removes what nothing uses any more', async () => {
    const first = await deployed();
    changeModel();
    const second = await deploy('second');
    expect(second).toMatchObject({ status: 'started', previousConfigName: (first as any).configName });
    expect(world.endpoints.policies).toEqual([{ guardrails: true, rollbackAlarms: [] }]);
    expect(Object.keys((await servedNow())!.variants)).toHaveLength(2);
    settle((second as any).configName);
    expect(await finish('deployed', 'second')).toMatchObject({ removed: { configs: 1, models: 1 } });
    expect([...world.endpoints.configs.keys()]).toEqual([(second as any).configName]);
    expect(world.sagemaker.models.size).toBe(1);
  });

  it('is rolled back to what served before', async () => {
    const first = await deployed();
    const before = await servedNow();
    changeModel();
    const second = await deploy('second');
    settle((second as any).configName);
    const answer = await rollBackEndpoint({ pipeline: PARTS.pipeline, executionArn: 'second' }, world);
    expect(answer).toMatchObject({ status: 'started', configName: (first as any).configName });
    settle((first as any).configName);
    await finish('rolled-back', 'second');
    expect(await servedNow()).toEqual(before);
    expect([...world.endpoints.configs.keys()]).toEqual([(first as any).configName]);
  });

  it('is deleted where nothing served before', async () => {
    await deploy();
    settle();
    const answer = await rollBackEndpoint({ pipeline: PARTS.pipeline, executionArn: 'first' }, world);
    expect(answer).toMatchObject({ status: 'started', configName: null });
    await finish('rolled-back');
    expect(world.endpoints.all.size + world.endpoints.configs.size + world.sagemaker.models.size).toBe(0);
    expect(await servedNow()).toBeUndefined();
  });
});

it('an execution that had no turn touches nothing of another', async () => {
  await deploy('first');
  const asked = [...world.endpoints.asked];
  const before = await servedNow();
  expect(await finish('rolled-back', 'second')).toMatchObject({ removed: { configs: 0, models: 0 } });
  expect(world.endpoints.asked).toEqual(asked);
  expect(await servedNow()).toEqual(before);
  expect((await readChange(world.store, PARTS.pipeline))!.executionArn).toBe('first');
});

describe('the check for stray endpoints', () => {
  const sweep = () => sweepEndpoints({ check: 'endpoints' }, world as any);

  it('leaves a young endpoint, warns of an old one once, then deletes it', async () => {
    await deployed();
    world.lastInvokedAt = new Date(NOW.getTime() + 7 * HOUR);
    expect(await sweep()).toMatchObject({ endpoints: 1, warned: 0, deleted: 0, failed: 0 });
    world.now += 7.5 * HOUR;
    expect(await sweep()).toMatchObject({ warned: 1 });
    expect(await sweep()).toMatchObject({ warned: 0, deleted: 0 });
    world.now += HOUR;
    expect(await sweep()).toMatchObject({ deleted: 1 });
    expect(world.topic.messages).toHaveLength(1);
    expect(world.topic.messages[0]!.body).toContain('endpoint.ttlHours');
    expect(world.started).toMatchObject([
      { name: expect.stringMatching(/^delete-shapes-/), input: { action: 'delete', pipeline: 'shapes' } },
    ]);
  });

  it('deletes one that nobody invokes', async () => {
    await deployed();
    world.now += 4 * HOUR;
    expect(await sweep()).toMatchObject({ warned: 1 });
    expect(world.topic.messages[0]!.body).toContain('Nobody has invoked it');
    world.now += HOUR;
    expect(await sweep()).toMatchObject({ deleted: 1 });
    expect(world.started[0]!.input.reason).toContain('nobody had invoked it for 4 hours');
  });

  it('keeps one whose ttlHours is null', async () => {
    world = await createWorld({ ttlHours: null });
    await deployed();
    world.now += 10_000 * HOUR;
    expect(await sweep()).toEqual({ endpoints: 1, warned: 0, deleted: 0, restored: 0, failed: 0 });
  });

  it('never touches an endpoint without the tag, whatever its name', async () => {
    world.endpoints.all.set('inferdrop-dev-theirs-0123456789ab', {
      status: 'InService',
      configName: 'theirs',
      tags: { 'inferdrop:pipeline': 'shapes', 'inferdrop:application': 'another-bucket' },
    });
    world.now += 10_000 * HOUR;
    expect(await sweep()).toEqual({ endpoints: 0, warned: 0, deleted: 0, restored: 0, failed: 0 });
    expect(world.started).toEqual([]);
  });

  it('goes back where the execution of a change has died', async () => {
    await deploy();
    expect(await sweep()).toMatchObject({ restored: 0 });
    world.running.clear();
    expect(await sweep()).toMatchObject({ restored: 1 });
    expect(world.started).toMatchObject([{ input: { action: 'restore', pipeline: 'shapes' } }]);
  });

  it('goes on after an endpoint that it cannot read', async () => {
    await deployed();
    world.store.put('endpoints/broken/change.json', 'no JSON');
    world.now += 8 * HOUR;
    expect(await sweep()).toMatchObject({ failed: 1, warned: 1 });
    expect(world.warnings).toHaveLength(1);
  });
});
