import { describe, expect, it } from 'vitest';
import { notify } from '../../../src/app/report/notify.ts';
import { cancel } from '../../../src/app/run/cancel.ts';
import { cleanUpRun } from '../../../src/app/run/clean-up-run.ts';
import { rerun } from '../../../src/app/run/rerun.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { type DropWorld, dropWorld } from '../../support/drop-world.ts';
import { jobRecord } from '../../support/job-record.ts';
import { trainingJobRecord } from '../../support/training-documents.ts';

const RUN = 'cifar10/monday/000001';
const PARTS = parseRunId(RUN)!;
const TRAINING = 'training/cifar10/monday/000001';
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
    expect(json(world, `runs/${RUN}/report.json`)).toMatchObject({
      status: 'failed',
      failure: { ...reason, cause: expect.stringContaining(reason.cause) },
    });
    expect(world.topic.messages).toHaveLength(1);
    expect(world.topic.messages[0]!.body).toContain('out of memory');
    expect(json(world, `state/${RUN}/ended.json`)).toMatchObject({ status: 'failed' });
  });

  it.each([
    ['FAILED', 'States.Runtime', 'The execution failed and gave no reason.'],
    ['TIMED_OUT', 'States.Timeout', 'The execution took longer than its state machine allows.'],
    ['ABORTED', 'Aborted', 'The execution was stopped.'],
  ] as const)('says of an execution that %s without a reason: %s', async (status, error, cause) => {
    const world = await opened('a.png');
    await world.settle(RUN);
    await world.die(RUN, status);
    expect(json(world, `runs/${RUN}/report.json`).failure).toMatchObject({ error, cause });
  });

  it('has a failure reported until the run has ended, with the beginning of a cause that is too long for it', async () => {
    const world = await opened('a.png');
    await world.settle(RUN);
    const started: [string, unknown][] = [];
    const start = async (name: string, input: string) => {
      started.push([name, JSON.parse(input)]);
      return { outcome: 'started' as const, arn: name };
    };
    world.executions.end(toExecutionName(PARTS), 'FAILED', { error: 'E', cause: 'x'.repeat(9_000) });
    const services = { ...world.services, failureReports: { start } };
    await cleanUpRun(world.deathOf(RUN), services);
    world.store.put(`runs/${RUN}/message.json`, '{}');
    await cleanUpRun(world.deathOf(RUN), services);
    world.store.put(`state/${RUN}/ended.json`, '{}');
    await cleanUpRun(world.deathOf(RUN), services);
    const { arn, startedAt } = world.executions.all[0]!;
    const input = {
      schema: 1,
      run: RUN,
      executionArn: arn,
      startedAt: startedAt.toISOString(),
      failure: { error: 'E', cause: 'x'.repeat(8_000) },
      isMessageWritten: false,
    };
    const name = expect.stringMatching(/^2026-03-01-/) as string;
    expect(started).toEqual([
      [name, input],
      [name, { ...input, isMessageWritten: true }],
    ]);
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

  it.each([
    ['incoming', RUN, jobRecord],
    ['training', TRAINING, trainingJobRecord],
  ])('tells of a run below %s/ that died before its planned job was started', async (below, run, record) => {
    const world = dropWorld();
    await world.accept(world.upload(`${below}/cifar10/monday/a.png`));
    await world.settle(run);
    const job = record({ run, attempt: 1, jobName: 'job-1', status: 'Planned' });
    world.store.put(`runs/${run}/jobs/1/job.json`, JSON.stringify({ ...job, endedAt: undefined }));
    expect((await world.die(run)).stopped).toEqual([]);
    expect(world.topic.messages).toHaveLength(1);
  });

  it('opens the next generation though the one before still lists its files', async () => {
    const world = await opened('a.png');
    world.store.put(`state/${RUN}/freezing`, '');
    world.advance(1);
    await world.accept(world.upload(`${folder}b.png`));
    expect((await world.die(SECOND)).opened).toBe('cifar10/monday/000003');
  });

  it('starts no fourth generation after three that died before they froze', async () => {
    const world = await opened('a.png');
    for (const number of [1, 2, 3]) await world.die(`cifar10/monday/00000${number}`);
    expect(world.runs()).toHaveLength(3);
    expect(world.topic.messages).toHaveLength(3);
    await world.accept(world.upload(`${folder}b.png`));
    expect(await world.run('cifar10/monday/000004')).toMatchObject({ objects: 2 });
  });

  it('counts neither canceled generations nor those before one that froze towards the three', async () => {
    const world = await opened('a.png');
    const fail = (number: number) => world.die(`cifar10/monday/00000${number}`);
    await fail(1);
    await cancel({ run: { ...PARTS, generation: '000002' }, by: 'a test' }, world.services);
    await cleanUpRun(world.deathOf(SECOND), world.services);
    await world.accept(world.upload(`${folder}b.png`));
    expect([(await fail(3)).opened, (await fail(4)).opened]).toEqual([
      'cifar10/monday/000004',
      'cifar10/monday/000005',
    ]);
    await world.run('cifar10/monday/000005');
    await world.accept(world.upload(`${folder}c.png`));
    expect((await fail(6)).opened).toBe('cifar10/monday/000007');
  });

  it('opens nothing after a repetition that died', async () => {
    const world = await opened('a.png');
    await world.run(RUN);
    const { run } = await rerun({ run: PARTS }, world.services);
    world.store.remove(`state/${run}/frozen.json`);
    expect(await world.die(run)).toEqual({ run, abandoned: true, stopped: [] });
    expect(world.runs()).toEqual([RUN, run]);
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
