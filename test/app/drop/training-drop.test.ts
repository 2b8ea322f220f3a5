import { describe, expect, it } from 'vitest';
import { cancel } from '../../../src/app/run/cancel.ts';
import { cleanUpRun } from '../../../src/app/run/clean-up-run.ts';
import { rerun } from '../../../src/app/run/rerun.ts';
import { sweep } from '../../../src/app/run/sweep.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';
import { evaluationText } from '../../support/evaluation-text.ts';
import { trainingJobRecord, trainingPlan } from '../../support/training-documents.ts';

const TRAINING = 'training/cifar10/monday/000001';
const RUN = 'cifar10/monday/000001';
const trainings = (world: ReturnType<typeof dropWorld>): string[] =>
  world.trainings.all.map(({ input }) => JSON.parse(input).run);

describe('a drop below training/', () => {
  it('starts an execution of its own machine beside that of a drop of the same name', async () => {
    const world = dropWorld();
    await world.accept(
      world.upload('training/cifar10/monday/train/a.png'),
      world.upload('incoming/cifar10/monday/b.png'),
      world.upload('training/cifar10/monday/labels.csv'),
    );
    expect([trainings(world), world.runs()]).toEqual([[TRAINING], [RUN]]);
    expect(await world.run(TRAINING)).toMatchObject({ status: 'frozen', objects: 2 });
    expect(world.keys(TRAINING)).toEqual([
      'training/cifar10/monday/labels.csv',
      'training/cifar10/monday/train/a.png',
    ]);
    await world.run(RUN);
    expect(world.keys(RUN)).toEqual(['incoming/cifar10/monday/b.png']);
    expect(JSON.parse(world.store.text(`state/${TRAINING}/frozen.json`)!).sourcePrefix).toBe(
      'training/cifar10/monday/',
    );
  });

  it('has one training for a burst, and a second generation for what comes later', async () => {
    const world = dropWorld();
    const first = world.upload('training/cifar10/monday/a.png');
    await world.accept(first, first);
    await world.accept(first);
    await world.run(TRAINING);
    await world.accept(world.upload('training/cifar10/monday/b.png'));
    expect(trainings(world)).toEqual([TRAINING, 'training/cifar10/monday/000002']);
    expect(await world.run('training/cifar10/monday/000002')).toMatchObject({ objects: 1 });
  });

  it('ends silently if an event comes again after the training: labels judge no training', async () => {
    const world = dropWorld();
    const event = world.upload('training/cifar10/monday/labels.csv');
    await world.accept(event);
    await world.run(TRAINING);
    world.store.put(`runs/${TRAINING}/plan.json`, JSON.stringify(trainingPlan({ run: TRAINING })));
    world.advance(60);
    await world.accept(event);
    expect(await world.run('training/cifar10/monday/000002')).toEqual({ status: 'empty', announce: false });
  });

  it('is repeated and canceled on its own machine', async () => {
    const world = dropWorld();
    await world.accept(world.upload('training/cifar10/monday/a.png'));
    await world.run(TRAINING);
    const again = `${TRAINING}r2`;
    expect(await rerun({ run: parseRunId(TRAINING)! }, world.services)).toEqual({
      run: again,
      outcome: 'started',
    });
    await cancel({ run: parseRunId(again)!, by: 'a test' }, world.services);
    expect(world.trainings.all.at(-1)).toMatchObject({ status: 'ABORTED', error: 'Canceled' });
    expect(world.runs()).toEqual([]);
  });

  it('leaves its files to the next generation when its execution dies before it froze', async () => {
    const world = dropWorld();
    await world.accept(world.upload('training/cifar10/monday/a.png'));
    world.trainings.end(toExecutionName(parseRunId(TRAINING)!), 'FAILED');
    expect(await cleanUpRun(world.deathOf(TRAINING), world.services)).toMatchObject({
      run: TRAINING,
      abandoned: true,
      opened: 'training/cifar10/monday/000002',
    });
    expect(world.runs()).toEqual([]);
  });

  it('leaves no job behind when its execution dies', async () => {
    const world = dropWorld();
    await world.accept(world.upload('training/cifar10/monday/a.png'));
    await world.settle(TRAINING);
    for (const [attempt, status] of [
      [1, 'Failed'],
      [2, 'InProgress'],
    ] as const) {
      const jobName = `job-${attempt}`;
      world.store.put(
        `runs/${TRAINING}/jobs/${attempt}/job.json`,
        JSON.stringify({
          ...trainingJobRecord({ run: TRAINING, attempt, jobName, status: 'InProgress' }),
          endedAt: undefined,
        }),
      );
      await world.training.start({
        TrainingJobName: jobName,
        ResourceConfig: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
        OutputDataConfig: { S3OutputPath: 's3://bucket/' },
      } as never);
      world.training.update(jobName, { status });
    }
    world.trainings.end(toExecutionName(parseRunId(TRAINING)!), 'ABORTED');
    expect(await cleanUpRun(world.deathOf(TRAINING), world.services)).toMatchObject({ stopped: ['job-2'] });
    expect(world.training.stopped).toEqual(['job-2']);
    expect(JSON.parse(world.store.text(`runs/${TRAINING}/jobs/2/job.json`)!)).toMatchObject({
      status: 'Stopping',
      stopReason: expect.stringContaining('its execution ended at') as string,
    });
  });

  it('leaves no run behind that judges its model, and stops no run that a person asked for', async () => {
    const world = dropWorld();
    await world.accept(
      world.upload('training/cifar10/monday/a.png'),
      world.upload('incoming/cifar10/monday/b.png'),
    );
    await world.settle(TRAINING);
    await world.run(RUN);
    const { store, services } = world;
    const judging = [`${RUN}r2`, `${RUN}r3`] as const;
    for (const run of judging)
      expect(await rerun({ run: parseRunId(RUN)! }, services)).toEqual({ run, outcome: 'started' });
    const own = `state/${judging[1]}/frozen.json`;
    const candidate = { sha256: 'c'.repeat(64), training: TRAINING, baseline: null, maxCostUsd: null };
    store.put(own, JSON.stringify({ ...JSON.parse(store.text(own)!), candidate }));
    const asked = (run: string) => ({ run, at: world.clock().toISOString(), isOwn: true });
    const evaluation = { incumbentRun: asked(judging[0]), candidateRun: asked(judging[1]) };
    store.put(`runs/${TRAINING}/evaluation.json`, evaluationText(evaluation));

    await cancel({ run: parseRunId(TRAINING)!, by: 'a test' }, services);
    for (const stopped of [[judging[1]], []])
      expect(await cleanUpRun(world.deathOf(TRAINING), services)).toMatchObject({ stopped });
    expect(world.executions.all.map(({ status, cause }) => [status, cause])).toEqual([
      ['SUCCEEDED', undefined],
      ['RUNNING', undefined],
      ['ABORTED', `${TRAINING}, the training of the model that it judged, is over.`],
    ]);
  });

  it('is opened by the sweep where its event was lost', async () => {
    const world = dropWorld();
    world.upload('training/cifar10/monday/a.png');
    world.store.put('state/training/cifar10/monday/pulse', '{"schema":1}');
    world.store.put('state/cifar10/ledger.json', '{}');
    expect(await sweep({}, world.services)).toMatchObject({ drops: 1, opened: 1, failed: 0 });
    expect([trainings(world), world.runs()]).toEqual([[TRAINING], []]);
  });

  it.each([
    ['training', 's3://bucket/training/cifar10/old/', ['training/cifar10/old/a.png']],
    [
      'training',
      's3://bucket/incoming/cifar10/old/',
      ['incoming/cifar10/old/b.png', 'incoming/cifar10/old/labels.csv'],
    ],
    ['incoming', 's3://bucket/incoming/cifar10/old/', ['incoming/cifar10/old/b.png']],
  ] as const)('below %s takes %s', async (folder, s3Prefix, keys) => {
    const world = dropWorld();
    world.upload('training/cifar10/old/a.png');
    world.upload('incoming/cifar10/old/b.png');
    world.upload('incoming/cifar10/old/labels.csv');
    world.upload('incoming/cifar10/old/job.json');
    const input = { s3Prefix: s3Prefix.replace('bucket', world.store.bucket) };
    await world.accept(world.upload(`${folder}/cifar10/monday/job.json`, JSON.stringify({ input })));
    const run = folder === 'training' ? TRAINING : RUN;
    expect(await world.run(run)).toMatchObject({ status: 'frozen' });
    expect(world.keys(run)).toEqual(keys);
  });

  it('takes no inputs of another pipeline, nor a drop those of a training', async () => {
    for (const [folder, other] of [
      ['training', 'training/dogs/old/'],
      ['incoming', 'training/cifar10/old/'],
    ]) {
      const world = dropWorld();
      world.upload(`${other}a.png`);
      const input = { s3Prefix: `s3://${world.store.bucket}/${other}` };
      await world.accept(world.upload(`${folder}/cifar10/monday/job.json`, JSON.stringify({ input })));
      const run = folder === 'training' ? TRAINING : RUN;
      await expect(world.run(run)).rejects.toMatchObject({ name: 'PlanRefused' });
      expect(world.store.text(`runs/${run}/problems.json`)).toContain('must begin with');
    }
  });
});
