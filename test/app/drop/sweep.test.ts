import { describe, expect, it } from 'vitest';
import { cancel } from '../../../src/app/drop/cancel.ts';
import { sweep } from '../../../src/app/drop/sweep.ts';
import { toExecutionName } from '../../../src/drop/execution-name.ts';
import { parseRunId } from '../../../src/drop/run-id.ts';
import type { DropWorld } from '../../support/drop-world.ts';
import { dropWorld } from '../../support/drop-world.ts';
import { jobRecord } from '../../support/job-record.ts';

const RUN = 'cifar10/monday/000001';
const SECOND = 'cifar10/monday/000002';
const folder = 'incoming/cifar10/monday/';

async function opened(...names: string[]): Promise<DropWorld> {
  const world = dropWorld();
  await world.accept(...names.map((name) => world.upload(`${folder}${name}`)));
  return world;
}
const end = (world: DropWorld, run: string, status: 'FAILED' | 'SUCCEEDED') =>
  world.executions.end(toExecutionName(parseRunId(run)!), status);

describe('sweep', () => {
  it('finds nothing to do where runs are under way or have ended', async () => {
    const world = await opened('a.png');
    expect(await sweep({}, world)).toEqual({ drops: 1, settled: 0, opened: 0, stopped: 0, failed: 0 });
    await world.run(RUN);
    await world.accept(world.upload(`${folder}b.png`));
    expect(await sweep({}, world)).toEqual({ drops: 1, settled: 0, opened: 0, stopped: 0, failed: 0 });
    expect(world.runs()).toEqual([RUN, SECOND]);
  });

  it('settles a run whose execution died while it listed, and nobody told', async () => {
    const world = await opened('a.png');
    world.store.put(`state/${RUN}/freezing`, '');
    end(world, RUN, 'FAILED');
    expect(await sweep({}, world)).toMatchObject({ settled: 1 });
    expect(world.topic.messages).toHaveLength(1);
    expect(await world.run(SECOND)).toMatchObject({ objects: 1 });
  });

  it('settles a run whose execution died while it waited: there is only a pulse', async () => {
    const world = await opened('a.png');
    end(world, RUN, 'FAILED');
    expect(await sweep({}, world)).toMatchObject({ opened: 1 });
    expect(await world.run(SECOND)).toMatchObject({ objects: 1 });
  });

  it('settles a frozen run whose execution is not known any more', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    world.executions.all.length = 0;
    expect(await sweep({}, world)).toMatchObject({ settled: 1, opened: 0 });
    expect(world.topic.messages[0]!.body).toContain('ExecutionGone');
  });

  it('starts the run of uploads whose start failed', async () => {
    const world = dropWorld();
    world.upload(`${folder}a.png`);
    world.store.put('state/cifar10/monday/pulse', '{"schema":1}');
    expect(await sweep({}, world)).toMatchObject({ opened: 1 });
    expect(await world.run(RUN)).toMatchObject({ objects: 1 });
  });

  it('starts the generation after an abandoned one that nobody opened', async () => {
    const world = await opened('a.png');
    world.executions.start = async () => Promise.reject(new Error('crash'));
    await expect(world.die(RUN)).rejects.toThrow('crash');
    const other = dropWorld();
    world.executions.start = other.executions.start;
    await sweep({}, world);
    expect(other.runs()).toEqual([SECOND]);
  });

  it('leaves a cancelled drop alone', async () => {
    const world = await opened('a.png');
    await cancel({ run: RUN, by: 'a test' }, world);
    expect(await sweep({}, world)).toMatchObject({ settled: 1, opened: 0 });
    expect(await sweep({}, world)).toMatchObject({ settled: 0, opened: 0 });
    expect(world.runs()).toEqual([RUN]);
  });

  it('marks the end of a run that succeeded without saying so', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    end(world, RUN, 'SUCCEEDED');
    expect(await sweep({}, world)).toMatchObject({ settled: 1 });
    expect(world.topic.messages).toEqual([]);
    expect(world.store.text(`state/${RUN}/ended.json`)).toBeDefined();
  });

  it.each([
    ['FAILED', 24, ['late']],
    ['FAILED', 24 * 5, []],
    ['PENDING_REDRIVE', 24, []],
  ] as const)(
    'where an execution is %s and its run ended %i hours ago, stops of the jobs that were started late %j',
    async (status, hours, stopped) => {
      const world = await opened('a.png');
      await world.settle(RUN);
      await world.die(RUN);
      const job = jobRecord({ run: RUN, attempt: 1, jobName: 'late', status: 'Planned' });
      world.store.put(`runs/${RUN}/jobs/1/job.json`, JSON.stringify(job));
      await world.sagemaker.startTransformJob({ name: 'late', input: { uri: '' } } as never);
      world.executions.end(toExecutionName(parseRunId(RUN)!), status);
      world.advance(hours * 3600);
      expect(await sweep({}, world)).toMatchObject({ settled: 0, stopped: stopped.length, failed: 0 });
      expect(world.sagemaker.stopped).toEqual(stopped);
    },
  );

  it('goes on after a drop that it cannot read', async () => {
    const world = await opened('a.png');
    world.store.put('state/cifar10/broken/000001/frozen.json', 'no JSON');
    end(world, RUN, 'FAILED');
    expect(await sweep({}, world)).toEqual({ drops: 2, settled: 0, opened: 1, stopped: 0, failed: 1 });
    expect(world.warnings).toHaveLength(1);
  });
});
