import { describe, expect, it } from 'vitest';
import { cancel } from '../../../src/app/run/cancel.ts';
import { sweep } from '../../../src/app/run/sweep.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { type DropWorld, dropWorld } from '../../support/drop-world.ts';
import { jobRecord } from '../../support/job-record.ts';

const RUN = 'cifar10/monday/000001';
const PARTS = parseRunId(RUN)!;
const SECOND = 'cifar10/monday/000002';
const folder = 'incoming/cifar10/monday/';

async function opened(...names: string[]): Promise<DropWorld> {
  const world = dropWorld();
  await world.accept(...names.map((name) => world.upload(`${folder}${name}`)));
  return world;
}
const end = (world: DropWorld, run: string, status: 'FAILED' | 'SUCCEEDED') =>
  world.executions.end(toExecutionName(parseRunId(run)!), status);
/** The report of the first run. */
const reported = (world: DropWorld) => JSON.parse(world.store.text(`runs/${RUN}/report.json`)!);

/** A step starts a job of a run whose execution has ended. */
async function startLate(world: DropWorld, run: string): Promise<void> {
  const job = jobRecord({ run, attempt: 1, jobName: 'late', status: 'Planned' });
  world.store.put(`runs/${run}/jobs/1/job.json`, JSON.stringify(job));
  await world.sagemaker.startTransformJob({ name: 'late', input: { uri: '' } } as never);
}

describe('sweep', () => {
  it('finds nothing to do where runs are under way or have ended', async () => {
    const nothing = { drops: 1, cleaned: 0, opened: 0, stopped: 0, failed: 0, isWhole: true };
    const world = await opened('a.png');
    expect(await sweep({}, world.services)).toEqual(nothing);
    await world.run(RUN);
    await world.accept(world.upload(`${folder}b.png`));
    expect(await sweep({}, world.services)).toEqual(nothing);
    expect(world.runs()).toEqual([RUN, SECOND]);
  });

  it('cleans up after a run whose execution died while it listed, without an event', async () => {
    const world = await opened('a.png');
    world.store.put(`state/${RUN}/freezing`, '');
    end(world, RUN, 'FAILED');
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 1 });
    expect(world.topic.messages).toHaveLength(1);
    expect(await world.run(SECOND)).toMatchObject({ objects: 1 });
  });

  it('cleans up after a run whose execution died while it waited: there is only a pulse', async () => {
    const world = await opened('a.png');
    end(world, RUN, 'FAILED');
    expect(await sweep({}, world.services)).toMatchObject({ opened: 1 });
    expect(await world.run(SECOND)).toMatchObject({ objects: 1 });
  });

  it('cleans up after a frozen run whose execution is not known any more', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    world.executions.all.length = 0;
    const { lastModified: frozenAt } = world.store.info(`state/${RUN}/freezing`)!;
    world.advance(3600);
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 1, opened: 0 });
    expect(reported(world).startedAt).toBe(frozenAt.toISOString());
    expect(world.topic.messages[0]!.body).toContain(
      "ExecutionGone: The run's execution is not known any more.",
    );
  });

  it.each([
    ['waits', 'cleaned: 0, opened: 1', { error: 'Lambda.Unknown', cause: 'out of memory' }],
    ['waits', 'cleaned: 0, opened: 1', undefined],
    ['has frozen', 'cleaned: 1, opened: 0', { error: 'Lambda.Unknown', cause: 'out of memory' }],
    ['has frozen', 'cleaned: 1, opened: 0', undefined],
  ])('reports why the execution of a run ended that %s: %s, %j', async (phase, counted, reason) => {
    const world = await opened('a.png');
    if (phase === 'has frozen') await world.settle(RUN);
    world.executions.end(toExecutionName(PARTS), 'FAILED', reason);
    world.advance(3600);
    const { cleaned, opened: begun } = await sweep({}, world.services);
    expect(`cleaned: ${cleaned}, opened: ${begun}`).toBe(counted);
    expect(reported(world)).toMatchObject({
      startedAt: world.executions.all[0]!.startedAt.toISOString(),
      failure:
        reason === undefined
          ? { error: 'ExecutionGone', cause: "The run's execution is FAILED." }
          : { ...reason, cause: expect.stringContaining(reason.cause) },
    });
  });

  it.each(['waits', 'has frozen'])('leaves a run alone that %s and can be redriven', async (phase) => {
    const world = await opened('a.png');
    if (phase === 'has frozen') await world.settle(RUN);
    world.executions.end(toExecutionName(PARTS), 'PENDING_REDRIVE');
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 0, opened: 0, failed: 0 });
    expect([world.topic.messages, world.runs()]).toEqual([[], [RUN]]);
    expect(world.store.text(`runs/${RUN}/report.json`)).toBeUndefined();
  });

  it('starts the run of uploads whose start failed', async () => {
    const world = dropWorld();
    world.upload(`${folder}a.png`);
    world.store.put('state/cifar10/monday/pulse', '{"schema":1}');
    expect(await sweep({}, world.services)).toMatchObject({ opened: 1 });
    expect(await world.run(RUN)).toMatchObject({ objects: 1 });
  });

  it('starts the generation after an abandoned one that was not opened', async () => {
    const world = await opened('a.png');
    world.executions.start = async () => Promise.reject(new Error('crash'));
    await expect(world.die(RUN)).rejects.toThrow('crash');
    const other = dropWorld();
    world.executions.start = other.executions.start;
    await sweep({}, world.services);
    expect(other.runs()).toEqual([SECOND]);
  });

  it('tries a drop once more of which three generations died while they listed', async () => {
    const world = await opened('a.png');
    for (const number of [1, 2, 3]) {
      const run = `cifar10/monday/00000${number}`;
      world.advance(10);
      world.store.put(`state/${run}/freezing`, '{}');
      await world.die(run);
    }
    expect(world.runs()).toHaveLength(3);
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 0, opened: 1 });
    expect(await world.run('cifar10/monday/000004')).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('finds nothing in an empty bucket', async () => {
    expect(await sweep({}, dropWorld().services)).toMatchObject({ drops: 0, failed: 0, isWhole: true });
  });

  it('leaves a canceled drop alone', async () => {
    const world = await opened('a.png');
    await cancel({ run: PARTS, by: 'a test' }, world.services);
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 1, opened: 0 });
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 0, opened: 0 });
    expect(world.runs()).toEqual([RUN]);
  });

  it('marks the end of a run that succeeded without saying so', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    end(world, RUN, 'SUCCEEDED');
    expect(await sweep({}, world.services)).toMatchObject({ cleaned: 1 });
    expect(world.topic.messages).toEqual([]);
    expect(JSON.parse(world.store.text(`state/${RUN}/ended.json`)!).status).toBe('unknown');
  });

  it.each([
    ['FAILED', 24, ['late']],
    ['FAILED', 24 * 5, ['late']],
    ['PENDING_REDRIVE', 24, []],
  ] as const)(
    'where an execution is %s and its run ended %i hours ago, stops of the jobs that were started late %j',
    async (status, hours, stopped) => {
      const world = await opened('a.png');
      await world.settle(RUN);
      await world.die(RUN);
      await startLate(world, RUN);
      world.executions.end(toExecutionName(parseRunId(RUN)!), status);
      world.advance(hours * 3600);
      expect(await sweep({}, world.services)).toMatchObject({
        cleaned: 0,
        stopped: stopped.length,
        failed: 0,
      });
      expect(world.sagemaker.stopped).toEqual(stopped);
    },
  );

  it('goes on after a drop that it cannot read', async () => {
    const world = await opened('a.png');
    world.store.put('state/cifar10/broken/000001/frozen.json', 'no JSON');
    end(world, RUN, 'FAILED');
    expect(await sweep({}, world.services)).toEqual({
      drops: 2,
      cleaned: 0,
      opened: 1,
      stopped: 0,
      failed: 1,
      isWhole: true,
    });
    expect(world.warnings).toEqual([
      {
        message: 'drop could not be swept',
        facts: { kind: 'inference', pipeline: 'cifar10', drop: 'broken', error: expect.any(SyntaxError) },
      },
    ]);
  });
});

describe('sweep over hundreds of drops', () => {
  const day = 24 * 3600;
  const name = (at: number) => `d${String(at).padStart(4, '0')}`;

  /** Drops whose only run has ended; a job each, ended too. */
  async function many(count: number): Promise<DropWorld> {
    const world = dropWorld();
    for (let at = 0; at < count; at++) {
      const run = `cifar10/${name(at)}/000001`;
      world.store.put(`state/cifar10/${name(at)}/pulse`, '{"schema":1}');
      world.advance(1);
      world.store.put(`state/${run}/freezing`, '{}');
      world.store.put(`state/${run}/frozen.json`, JSON.stringify(FROZEN));
      world.store.put(`state/${run}/covered/x.jsonl.gz`, '');
      world.store.put(`state/${run}/ended.json`, '{}');
      const job = jobRecord({ run, attempt: 1, jobName: run, status: 'Completed' });
      const ended = { ...job, endedAt: world.clock().toISOString() };
      world.store.put(`runs/${run}/jobs/1/job.json`, JSON.stringify(ended));
    }
    return world;
  }
  const FROZEN = {
    schema: 1,
    status: 'frozen',
    objects: 1,
    bytes: 1,
    largestObjectBytes: 1,
    emptyObjects: 0,
    tars: 0,
    origin: { mode: 'drop' },
    sourceBucket: 'bucket',
    sourcePrefix: folder,
    frozenAt: '2026-03-01T12:00:00.000Z',
    manifestSlices: [],
    coveredSlices: [],
  };
  /** Requests since the last count, by kind. */
  const counter = (world: DropWorld) => {
    let seen = 0;
    let described = 0;
    const { describe: ask } = world.executions;
    world.executions.describe = (arn) => {
      described += 1;
      return ask(arn);
    };
    return () => {
      const made = world.store.requests.slice(seen).map(({ operation }) => operation);
      seen += made.length;
      const counted = { LIST: 0, GET: 0, HEAD: 0, PUT: 0, describe: described };
      for (const operation of made) counted[operation as 'GET'] += 1;
      described = 0;
      return counted;
    };
  };

  it('skips drops whose runs had ended three days before the last sweep', async () => {
    const world = await many(300);
    const count = counter(world);
    expect(await sweep({}, world.services)).toMatchObject({
      drops: 300,
      cleaned: 0,
      opened: 0,
      isWhole: true,
    });
    // The first time at each: 2 pages of their marks, the jobs of each run, and whether its manifest was abandoned.
    expect(count()).toEqual({ LIST: 2 + 300, GET: 1 + 300 + 300, HEAD: 0, PUT: 1, describe: 0 });
    world.advance(4 * day);
    expect(await sweep({}, world.services)).toMatchObject({ drops: 300, isWhole: true });
    count();
    world.advance(day);
    await world.accept(world.upload(`incoming/cifar10/${name(150)}/new.png`));
    count();
    expect(await sweep({}, world.services)).toMatchObject({
      drops: 300,
      cleaned: 0,
      opened: 0,
      isWhole: true,
    });
    expect(count()).toEqual({ LIST: 2, GET: 2, HEAD: 0, PUT: 1, describe: 1 });
  });

  it('goes on where its time was up, so that the last drops have their turn', async () => {
    const world = await many(200);
    world.store.put('state/cifar10/zebra/pulse', '{"schema":1}');
    world.upload('incoming/cifar10/zebra/a.png');
    const looked: string[] = [];
    const { readText } = world.store;
    const slow = {
      ...world.services,
      budgetMs: 60_000,
      store: {
        ...world.store,
        readText: async (key: string) => {
          looked.push(...(/^state\/cifar10\/(d\d+)\//.exec(key)?.slice(1) ?? []));
          world.advance(1);
          return readText(key);
        },
      },
    };
    const position = () => JSON.parse(world.store.text('state/sweep.json')!);
    const startedAt = world.clock().toISOString();
    const passes = [];
    for (let sweeps = 0; sweeps < 20; sweeps++) {
      const swept = await sweep({}, slow);
      passes.push(swept.drops);
      if (swept.isWhole) break;
      const after = `state/cifar10/${name(passes.reduce((sum, drops) => sum + drops) - 1)}0`;
      expect(position()).toEqual({ schema: 1, pass: { startedAt, after } });
      world.advance(day);
    }
    expect(passes.length).toBeGreaterThan(3);
    expect(passes.reduce((sum, drops) => sum + drops)).toBe(201);
    expect(looked).toEqual(Array.from({ length: 200 }, (_, at) => name(at)));
    expect(world.runs()).toEqual(['cifar10/zebra/000001']);
    // Then from the beginning; what a pass looks back to is when the one before began.
    expect(position()).toEqual({ schema: 1, lastPassAt: startedAt });
    world.advance(day);
    await sweep({}, { ...slow, budgetMs: 0 });
    expect(position()).toEqual({ schema: 1, lastPassAt: startedAt });
  });

  it('looks back to the last sweep that came to its end, however long ago', async () => {
    const world = await opened('a.png');
    await world.run(RUN);
    await sweep({}, world.services);
    world.advance(30 * day);
    await world.accept(world.upload(`${folder}b.png`));
    await world.settle(SECOND);
    await world.die(SECOND);
    await startLate(world, SECOND);
    world.advance(30 * day);
    expect(await sweep({}, world.services)).toMatchObject({ stopped: 1 });
  });

  it.each([
    [1, 1],
    [3, 1],
    [5, 0],
  ])(
    'for three days after its run has ended a job that was started late is stopped: after %i days %i',
    async (days, stopped) => {
      const world = await opened('a.png');
      await world.settle(RUN);
      await world.die(RUN);
      for (let sweeps = 0; sweeps < days; sweeps++) {
        await sweep({}, world.services);
        world.advance(day);
      }
      await startLate(world, RUN);
      expect(await sweep({}, world.services)).toMatchObject({ stopped });
    },
  );

  it('works at 16 drops at once', async () => {
    const world = await many(100);
    let busy = 0;
    let most = 0;
    const { readText } = world.store;
    const store = {
      ...world.store,
      readText: async (key: string) => {
        most = Math.max(most, ++busy);
        await new Promise((resolve) => setImmediate(resolve));
        busy -= 1;
        return readText(key);
      },
    };
    await sweep({}, { ...world.services, store });
    expect(most).toBe(16);
  });
});
