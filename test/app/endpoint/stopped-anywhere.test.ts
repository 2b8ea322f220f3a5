import { describe, expect, it } from 'vitest';
import { checkEndpoint } from '../../../src/app/endpoint/check-endpoint.ts';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { repairEndpoint } from '../../../src/app/endpoint/repair-endpoint.ts';
import { changeJson } from '../../../src/app/records/endpoint.ts';
import { PARTS, RUN } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-endpoint';
const { pipeline } = PARTS;

/** What comes upon the change of an execution that was stopped, before what mends it does. */
const SUCCESSORS = ['none', 'fails its test', 'passes', 'ends what served', 'comes too late to end'] as const;
type Successor = (typeof SUCCESSORS)[number];

/** What a step asks of SageMaker and S3. */
const CALLS = {
  endpoints: ['describe', 'createConfig', 'create', 'update', 'delete', 'deleteConfig', 'tag'],
  store: ['readText', 'describe', 'write', 'createIfAbsent', 'replace', 'delete'],
} as const;

/** The state machine `endpoint`, each step as it is, on SageMaker in memory that gets on only between steps. */
function machine(world: EndpointWorld) {
  const over = (arn: string): boolean => !world.running.has(arn);
  const turn = (): void => {
    world.pass(15_000);
    world.endpoints.arrive();
  };
  const expectServing = async (endpointName: string, configName: string | null): Promise<boolean> => {
    turn();
    const { status } = await checkEndpoint({ endpointName, configName, poll: 0 }, world.services);
    return status === 'reached';
  };
  /** Executions whose way back failed: a message says so, and the sweep tries again. */
  const lost: string[] = [];
  const goBack = async (arn: string): Promise<void> => {
    for (let look = 0; look < 40; look += 1) {
      if (over(arn)) return;
      const answer = await world.rollBack(arn);
      if (answer.status === 'started' && !(await expectServing(answer.endpointName, answer.configName))) {
        lost.push(arn);
        return;
      }
      if (answer.status !== 'busy') {
        await world.finish('rolled-back', arn);
        return;
      }
      turn();
    }
  };
  /** Executions whose model has passed all its tests. */
  const finishing = new Set<string>();
  return {
    finishing,
    lost,
    async deploy(arn: string, passes = true): Promise<void> {
      let proof: 'needed' | 'given' = 'needed';
      world.running.add(arn);
      for (let look = 0; look < 40; look += 1) {
        const answer = await world.deploy(arn, proof);
        if (over(arn)) return;
        if (answer.status === 'unchanged') return void (await world.finish('unchanged', arn));
        if (answer.status === 'busy') turn();
        else if (!(await expectServing(answer.endpointName, answer.configName)) || !passes)
          return goBack(arn);
        else if (!answer.isCandidate) {
          finishing.add(arn);
          return void (await world.finish('deployed', arn));
        } else proof = 'given';
        if (over(arn)) return;
      }
    },
    async end(arn: string, deployedAt: string): Promise<void> {
      world.running.add(arn);
      for (let look = 0; look < 40; look += 1) {
        const answer = await deleteEndpoint({ pipeline, executionArn: arn, deployedAt }, world.services);
        if (answer.status === 'kept') return;
        if (answer.status === 'started') {
          if (await expectServing(answer.endpointName, null)) await world.finish('deleted', arn);
          return;
        }
        turn();
      }
    },
    /** All executions that are to put something right, and the sweeps that follow them. */
    async mend(): Promise<void> {
      for (let seen = 0, sweeps = 0; sweeps < 3;) {
        const next = world.started[seen];
        if (next === undefined) {
          world.pass(15 * 60_000);
          world.endpoints.arrive();
          await world.sweep();
          sweeps += 1;
          continue;
        }
        seen += 1;
        const arn = `${MACHINE}:${next.name}`;
        world.running.add(arn);
        if (next.input.action === 'delete') await this.end(arn, next.input.deployedAt);
        else await goBack(arn);
        world.running.delete(arn);
      }
    },
  };
}

type How = 'goes on' | 'dies';

/** Has `act` happen when call number `at` is about to be made; where the function dies, when it has been made, and no other follows. */
function interrupt(world: EndpointWorld, at: number, how: How, act: () => Promise<void>) {
  let calls = 0;
  let isWatching = true;
  let acted: Promise<void> | undefined;
  for (const [target, names] of Object.entries(CALLS))
    for (const name of names) {
      const real = (world as any)[target][name];
      (world as any)[target][name] = async (...args: unknown[]) => {
        if (!isWatching) return real(...args);
        calls += 1;
        if (calls > at && how === 'dies') throw new Error('killed');
        if (calls !== at) return real(...args);
        // What is done meanwhile is done by others.
        isWatching = false;
        if (how === 'dies') await real(...args);
        acted = act();
        await acted;
        if (how === 'dies') throw new Error('killed');
        isWatching = true;
        return real(...args);
      };
    }
  return {
    async end(): Promise<boolean> {
      await acted;
      isWatching = false;
      return calls >= at;
    },
  };
}

/** A deployment that is stopped at call `at`, and all that follows; undefined where it makes fewer calls. */
async function stopAt(at: number, how: How, before: (typeof befores)[number], successor: Successor) {
  const world = await endpointWorld();
  const { deploy, end, mend, finishing, lost } = machine(world);
  if (before === 'a model serves') {
    world.changeModel('first');
    await deploy('first');
    world.running.delete('first');
  }
  world.changeModel('second');
  const served = await world.served();
  const input = JSON.stringify({ schema: 1, action: 'deploy', pipeline, run: RUN });
  const interrupted = interrupt(world, at, how, async () => {
    world.running.delete('second');
    await repairEndpoint({ detail: { executionArn: 'second', status: 'ABORTED', input } }, world.services);
  });
  await deploy('second').catch((error: Error) => {
    if (error.message !== 'killed' && error.name !== 'ExecutionOver') throw error;
  });
  if (!(await interrupted.end())) return undefined;
  if (successor === 'passes' || successor === 'fails its test') {
    world.changeModel('third');
    await deploy('third', successor === 'passes');
  }
  const gone = new Date(0).toISOString();
  if (successor === 'ends what served') await end('third', served?.deployedAt ?? gone);
  if (successor === 'comes too late to end') await end('third', gone);
  world.running.delete('third');
  await mend();
  expect(lost, `stopped at call ${at}`).toEqual([]);
  return { world, isDeployed: finishing.has('second') };
}

/** Which release serves, where all agrees on it: endpoint, what the prediction API reads, and what is kept at SageMaker. */
async function serving(world: EndpointWorld): Promise<unknown> {
  const served = await world.served();
  const all = [...world.endpoints.all];
  const configs = [...world.endpoints.configs.values()];
  const models = [...world.sagemaker.models.values()];
  expect(await changeJson(pipeline).read(world.store)).toBeUndefined();
  if (served === undefined) {
    expect([all, configs, models]).toEqual([[], [], []]);
    return 'nothing';
  }
  const [variant] = Object.values(served.variants);
  expect(Object.keys(served.variants)).toEqual([served.live]);
  expect(all).toMatchObject([
    [served.endpointName, { status: 'InService', configName: variant!.configName }],
  ]);
  expect(configs).toMatchObject([{ name: variant!.configName, modelName: variant!.modelName }]);
  expect([...world.sagemaker.models.keys()]).toEqual([variant!.modelName]);
  return models[0]!.environment.RELEASE;
}

const befores = ['a model serves', 'nothing serves'] as const;
const hows = ['goes on', 'dies'] as const;

describe.each(befores)('where %s, a deployment that is stopped at any call, whose function', (before) => {
  it.each(hows.flatMap((how) => SUCCESSORS.map((successor) => [how, successor] as const)))(
    '%s, leaves nothing of itself; the next one: %s',
    async (how, successor) => {
      const old = before === 'a model serves' ? 'first' : 'nothing';
      const allowed = {
        none: [old],
        'fails its test': [old],
        passes: ['third'],
        'ends what served': ['nothing'],
        'comes too late to end': [old],
      }[successor];
      for (let at = 1; ; at += 1) {
        const found = await stopAt(at, how, before, successor);
        if (found === undefined) {
          expect(at).toBeGreaterThan(12);
          return;
        }
        // A model that has passed all its tests may stay, though its execution is stopped while it tidies up.
        const also = found.isDeployed && successor !== 'passes' ? ['second'] : [];
        expect([...allowed, ...also], `stopped at call ${at}`).toContain(await serving(found.world));
      }
    },
  );
});
