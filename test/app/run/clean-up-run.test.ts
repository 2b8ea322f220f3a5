import { describe, expect, it } from 'vitest';
import { notify } from '../../../src/app/report/notify.ts';
import { cleanUpRun } from '../../../src/app/run/clean-up-run.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { type DropWorld, dropWorld } from '../../support/drop-world.ts';
import { jobRecord } from '../../support/job-record.ts';

const RUN = 'cifar10/monday/000001';
const PARTS = parseRunId(RUN)!;
const SECOND = 'cifar10/monday/000002';
const folder = 'incoming/cifar10/monday/';
const reason = { error: 'Lambda.Unknown', cause: 'out of memory' };

async function opened(...names: string[]): Promise<DropWorld> {
  const world = dropWorld();
  await world.accept(...names.map((name) => world.upload(`${folder}${name}`)));
  return world;
}

const json = (world: DropWorld, key: string) => JSON.parse(world.store.text(key)!);

describe('cleanUpRun', () => {
  it.each(['FAILED', 'TIMED_OUT', 'ABORTED'] as const)(
    'abandons a run that %s before it froze, and opens the next',
    async (status) => {
      const world = await opened('a.png');
      expect(await world.die(RUN, status)).toEqual({
        run: RUN,
        abandoned: true,
        opened: SECOND,
        stopped: [],
      });
      expect(json(world, `state/${RUN}/frozen.json`)).toMatchObject({ status: 'abandoned', reason: 'died' });
      expect(await world.run(SECOND)).toMatchObject({ status: 'frozen', objects: 1 });
    },
  );

  it('abandons a run that died while it listed, and the next run has every file', async () => {
    const world = await opened('a.png', 'b.png');
    world.store.put(`state/${RUN}/freezing`, '');
    await world.die(RUN);
    expect(await world.run(SECOND)).toMatchObject({ status: 'frozen', objects: 2 });
  });

  it('leaves the manifest of a run that died later, and opens nothing', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    expect(await world.die(RUN)).toEqual({ run: RUN, abandoned: false, stopped: [] });
    expect(world.runs()).toEqual([RUN]);
  });

  it('writes the report of the failure and sends one message, however often its event comes', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    await world.die(RUN, 'FAILED', reason);
    await cleanUpRun(world.deathOf(RUN), world.services);
    expect(json(world, `runs/${RUN}/report.json`)).toMatchObject({ status: 'failed', failure: reason });
    expect(world.topic.messages).toHaveLength(1);
    expect(world.topic.messages[0]!.body).toContain('Lambda.Unknown: out of memory');
    expect(json(world, `state/${RUN}/ended.json`)).toMatchObject({ status: 'failed' });
  });

  it('sends nothing more if the execution reported its failure itself', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    const { status } = await world.writeReport(RUN, { error: 'NothingPredicted', cause: 'no output' });
    world.executions.end(world.executions.all[0]!.name, 'FAILED');
    await notify({ run: PARTS, status }, world);
    await cleanUpRun(world.deathOf(RUN), world.services);
    expect(world.topic.messages).toHaveLength(1);
    expect(json(world, `runs/${RUN}/report.json`).failure.error).toBe('NothingPredicted');
  });

  it('stops the transform job that still runs, and no other', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    for (const [attempt, status] of [
      [1, 'Failed'],
      [2, 'InProgress'],
    ] as const) {
      const job = jobRecord({ run: RUN, attempt, jobName: `job-${attempt}`, status });
      world.store.put(`runs/${RUN}/jobs/${attempt}/job.json`, JSON.stringify(job));
      world.store.put(`runs/${RUN}/jobs/${attempt}/input.manifest`, '[]');
      await world.sagemaker.startTransformJob({ name: `job-${attempt}`, input: { uri: '' } } as never);
      world.sagemaker.update(`job-${attempt}`, { status });
    }
    expect((await world.die(RUN, 'TIMED_OUT')).stopped).toEqual(['job-2']);
    expect(world.sagemaker.stopped).toEqual(['job-2']);
    expect(json(world, `runs/${RUN}/jobs/2/job.json`)).toMatchObject({
      status: 'Stopping',
      stopReason: expect.any(String),
    });
  });

  it('starts no fourth generation after three that died before they froze', async () => {
    const world = await opened('a.png');
    for (const number of [1, 2, 3]) await world.die(`cifar10/monday/00000${number}`);
    expect(world.runs()).toHaveLength(3);
    expect(world.topic.messages).toHaveLength(3);
    await world.accept(world.upload(`${folder}b.png`));
    expect(await world.run('cifar10/monday/000004')).toMatchObject({ objects: 2 });
  });

  it('needs no frozen generation before the one it opens', async () => {
    const world = await opened('a.png');
    await world.run(RUN);
    await world.accept(world.upload(`${folder}b.png`));
    await world.die(SECOND);
    await world.die('cifar10/monday/000003');
    expect(await world.run('cifar10/monday/000004')).toMatchObject({ objects: 1 });
    expect(world.keys('cifar10/monday/000004')).toEqual([`${folder}b.png`]);
  });
});
