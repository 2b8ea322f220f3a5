import { describe, expect, it } from 'vitest';
import { awaitLeftJobs } from '../../../src/app/run/await-left-jobs.ts';
import { cleanUpRun } from '../../../src/app/run/clean-up-run.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { planned, record, start } from '../../support/drive-transform.ts';
import { PARTS } from '../../support/drop-fixture.ts';
import { dropWorld } from '../../support/drop-world.ts';
import { memoryTrainingJobs } from '../../support/memory-training-jobs.ts';
import { trainingJobRecord, trainingPlan } from '../../support/training-documents.ts';

const TRAINING = 'training/clothes/monday/000001';
const RUN = parseRunId(TRAINING)!;
const JOB = 'inferdrop-clothes-monday-1-0123456789ab';

/** A training whose job runs since `startedAt`, and was last looked at when it had cost next to nothing. */
async function running() {
  const world = dropWorld();
  await world.accept(world.upload('training/clothes/monday/a.png'));
  await world.settle(TRAINING);
  const plan = trainingPlan({ run: TRAINING });
  world.store.put(`runs/${TRAINING}/plan.json`, JSON.stringify(plan));
  await world.training.start({
    TrainingJobName: JOB,
    ResourceConfig: { InstanceType: 'ml.m5.xlarge', InstanceCount: 2, VolumeSizeInGB: 30 },
    OutputDataConfig: { S3OutputPath: 's3://bucket/out/' },
  } as never);
  const startedAt = world.clock();
  world.training.update(JOB, { secondaryStatus: 'Training', startedAt });
  const {
    endedAt: _ended,
    billableSeconds: _billed,
    trainingSeconds: _trained,
    ...record
  } = trainingJobRecord({
    run: TRAINING,
    jobName: JOB,
    instanceCount: 2,
    status: 'InProgress',
    secondaryStatus: 'Starting',
    startedAt: startedAt.toISOString(),
    costUsd: 0.0001,
  });
  world.store.put(`runs/${TRAINING}/jobs/1/job.json`, JSON.stringify(record));
  const price = plan.cost.pricesUsd['ml.m5.xlarge']!;
  return { world, startedAt, costOf: (seconds: number) => (2 * seconds * price) / 3600 };
}

const look = (world: ReturnType<typeof dropWorld>, poll = 0) =>
  awaitLeftJobs({ run: RUN, poll }, world.services);
const recorded = (world: ReturnType<typeof dropWorld>) =>
  JSON.parse(world.store.text(`runs/${TRAINING}/jobs/1/job.json`)!);

describe('awaitLeftJobs', () => {
  it('waits until a stopped training has ended, and records what it is billed', async () => {
    const { world, startedAt, costOf } = await running();
    await world.training.stop(JOB);
    world.advance(40);
    expect(await look(world)).toEqual({ status: 'waiting', waitSeconds: 1, poll: 1 });
    expect(recorded(world)).toMatchObject({ status: 'Stopping', costUsd: expect.closeTo(costOf(40), 4) });
    const endedAt = new Date(startedAt.getTime() + 60_000);
    world.training.update(JOB, {
      status: 'Stopped',
      secondaryStatus: 'Stopped',
      endedAt,
      trainingSeconds: 60,
      billableSeconds: 60,
    });
    world.advance(60);
    expect(await look(world, 1)).toEqual({ status: 'ended' });
    expect(recorded(world)).toMatchObject({
      status: 'Stopped',
      billableSeconds: 60,
      costUsd: expect.closeTo(costOf(60), 4),
    });
  });

  it('does not wait for ever', async () => {
    const { world } = await running();
    expect((await look(world, 29)).status).toBe('waiting');
    expect(await look(world, 30)).toEqual({ status: 'ended' });
  });

  it('has nothing to wait for where no job was started', async () => {
    const world = dropWorld();
    expect(await look(world)).toEqual({ status: 'ended' });
  });

  it('waits for a stopped transform job in the same way', async () => {
    const { store, sagemaker, engines, clock, later } = await planned();
    const { jobName } = await start({ store, sagemaker });
    sagemaker.update(jobName, { status: 'Stopping', startedAt: clock() });
    later(1);
    const services = { store, engines, clock, training: memoryTrainingJobs() };
    expect(await awaitLeftJobs({ run: PARTS, poll: 3 }, services)).toMatchObject({
      status: 'waiting',
      poll: 4,
    });
    const atFirst = record(store, 1).costUsd!;
    sagemaker.update(jobName, { status: 'Stopped', endedAt: later(1) });
    expect(await awaitLeftJobs({ run: PARTS, poll: 4 }, services)).toEqual({ status: 'ended' });
    expect(record(store, 1)).toMatchObject({ status: 'Stopped', costUsd: expect.closeTo(2 * atFirst, 3) });
  });

  it('so that the report of a canceled training has the cost to the end of its job', async () => {
    const { world, startedAt, costOf } = await running();
    await world.training.stop(JOB);
    const endedAt = new Date(startedAt.getTime() + 41_000);
    world.training.update(JOB, {
      status: 'Stopped',
      secondaryStatus: 'Stopped',
      endedAt,
      trainingSeconds: 41,
      billableSeconds: 41,
    });
    await look(world);
    world.trainings.end(world.trainings.all[0]!.name, 'ABORTED', { error: 'Canceled', cause: 'by ada' });
    await cleanUpRun(world.deathOf(TRAINING), world.services);
    const report = JSON.parse(world.store.text(`runs/${TRAINING}/report.json`)!);
    expect(report.status).toBe('canceled');
    expect(report.costUsd).toBeCloseTo(costOf(41), 4);
    expect(report.jobs).toMatchObject([{ status: 'Stopped', billableSeconds: 41 }]);
  });
});
