import { describe, expect, test } from 'vitest';
import { startRun } from '../../../src/app/run/start-run.ts';
import { checkTraining } from '../../../src/app/training/check-training.ts';
import { packageSource } from '../../../src/app/training/package-source.ts';
import { planTraining } from '../../../src/app/training/plan-training.ts';
import { startTraining } from '../../../src/app/training/start-training.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { TrainingJobRecord } from '../../../src/training/training-job-record.ts';
import { TrainingMetrics } from '../../../src/training/training-metrics.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { memoryTrainingJobs, memoryTrainingLogs } from '../../support/memory-training-jobs.ts';
import {
  NOW,
  PLAN_ID,
  STACK,
  TRAINING,
  type TrainingDrop,
  trainingDrop,
} from '../../support/training-drop.ts';

const TYPES = { instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'] } };

/** A training whose source is packed, and what its states need. */
async function packed(
  drop: TrainingDrop = {},
  lines: Record<string, readonly string[]> = {},
  /** Milliseconds that pass with each look at the clock. */
  tickMs = 0,
) {
  const store = trainingDrop({ training: TYPES, ...drop });
  let now = NOW;
  const clock = (): Date => (now = new Date(now.getTime() + tickMs));
  const training = memoryTrainingJobs({ clock });
  const machine = memoryExecutions({ clock, machine: 'training' });
  const executions = () => machine;
  await startRun(executions, TRAINING);
  await planTraining(
    { run: TRAINING },
    { store, quotas: async () => new Map(), newId: () => PLAN_ID, clock, settings: STACK },
  );
  await packageSource({ run: TRAINING }, { store });
  const record = (attempt = 1): TrainingJobRecord =>
    TrainingJobRecord.parse(JSON.parse(store.text(bucketLayout.job(TRAINING, attempt))!));
  const nameOf = (attempt = 1): string => record(attempt).jobName;
  const start = (input: { attempt?: number; instance?: number; poll?: number } = {}) =>
    startTraining(
      { run: TRAINING, attempt: 1, instance: 0, poll: 0, ...input },
      { store, training, sagemaker: training, executions, clock },
    );
  const check = (input: { attempt?: number; instance?: number; poll?: number } = {}) => {
    const jobName = nameOf(input.attempt);
    return checkTraining(
      { run: TRAINING, attempt: 1, jobName, instance: 0, poll: 0, ...input },
      { store, training, logs: memoryTrainingLogs({ [jobName]: lines }), clock },
    );
  };
  return {
    store,
    training,
    machine,
    start,
    check,
    record,
    nameOf,
    pass: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
      return now;
    },
    metrics: () => TrainingMetrics.parse(JSON.parse(store.text(bucketLayout.metrics(TRAINING))!)),
  };
}

const quota = (type: string, limit: number, delta = 1) => ({
  name: 'ResourceLimitExceeded',
  message:
    `The account-level service limit '${type} for training job usage' is ${limit} Instances, with current utilization ` +
    `of ${limit} Instances and a request delta of ${delta} Instances.`,
});

describe('StartTraining', () => {
  test('starts the job of the plan on the packed source, under a name of its own', async () => {
    const { start, training, store, record } = await packed();
    const started = await start();
    const [name, { request }] = [...training.jobs][0]!;
    expect(started).toEqual({ status: 'started', attempt: 1, jobName: name, instance: 0 });
    expect(request.HyperParameters['sagemaker_submit_directory']).toMatch(
      /^"s3:\/\/.*\/sources\/[0-9a-f]{64}\/sourcedir\.tar\.gz"$/,
    );
    expect(request.OutputDataConfig.S3OutputPath).toBe(
      `s3://${store.bucket}/runs/training/shapes/monday/000001/output/${PLAN_ID}/`,
    );
    expect(Object.fromEntries(request.Tags!.map(({ Key, Value }) => [Key, Value]))).toMatchObject({
      'inferdrop:application': store.bucket,
      'inferdrop:run': 'training/shapes/monday/000001',
      'inferdrop:attempt': '1',
    });
    expect(record()).toMatchObject({ status: 'InProgress', instanceType: 'ml.m5.xlarge', costUsd: null });
  });

  test('finds the job of a first call again', async () => {
    const { start, training } = await packed();
    const first = await start();
    expect(await start()).toEqual(first);
    expect(training.jobs.size).toBe(1);
  });

  test('has its record before SageMaker is asked', async () => {
    const { start, training, record } = await packed();
    training.failNext('start', { name: 'InternalError', message: 'x' });
    await expect(start()).rejects.toMatchObject({ name: 'InternalError' });
    expect(record()).toMatchObject({ status: 'Planned', phases: [] });
  });

  test.each([
    ['Stopping', 'Stopping'],
    ['Deleting', 'InProgress'],
  ] as const)('writes down a job that it finds again as %s: %s', async (found, status) => {
    const { start, training, nameOf, pass, record } = await packed();
    await start();
    training.update(nameOf(), { status: found });
    pass(60);
    await start();
    expect(record()).toMatchObject({ status, createdAt: NOW.toISOString() });
  });

  test('keeps the record of a first call', async () => {
    const { start, training, pass, record } = await packed();
    for (let call = 0; call < 2; call++) {
      training.failNext('start', { name: 'InternalError', message: 'x' });
      await expect(start()).rejects.toMatchObject({ name: 'InternalError' });
      pass(60);
    }
    expect(record().createdAt).toBe(NOW.toISOString());
  });

  test('refuses a job of its name that is not its own', async () => {
    const { start, training } = await packed();
    await start();
    const [name] = [...training.jobs.keys()];
    const job = training.jobs.get(name!)!;
    training.jobs.set(name!, { ...job, request: { ...job.request, Tags: [] } });
    await expect(start()).rejects.toMatchObject({ name: 'JobNameTaken' });
  });

  test('takes the next type where a quota is in use or the region lacks the type', async () => {
    for (const error of [
      quota('ml.m5.xlarge', 2),
      {
        name: 'ValidationException',
        message:
          "1 validation error detected: Value 'ml.m5.xlarge' at 'resourceConfig.instanceType' failed to satisfy " +
          'constraint: Member must satisfy enum value set: [ml.c5.xlarge]',
      },
    ]) {
      const { start, training, record } = await packed();
      training.failNext('start', error);
      expect(await start()).toMatchObject({ status: 'started', instance: 1 });
      expect(record().instanceType).toBe('ml.c5.xlarge');
    }
  });

  test('waits longer and longer while every quota is in use, as long as the settings allow', async () => {
    const { start, training, pass } = await packed();
    const bothInUse = (): void => {
      training.failNext('start', quota('ml.m5.xlarge', 2));
      training.failNext('start', quota('ml.c5.xlarge', 2));
    };
    bothInUse();
    expect(await start()).toEqual({ status: 'no-quota', waitSeconds: 1, poll: 1 });
    pass(3_600);
    bothInUse();
    expect(await start({ poll: 20 })).toMatchObject({ status: 'no-quota', waitSeconds: 60, poll: 21 });
    pass(4 * 3_600);
    bothInUse();
    await expect(start({ poll: 21 })).rejects.toMatchObject({
      name: 'ResourceLimitExceeded',
      message: expect.stringContaining('limits.maxRuntimeMinutes is 240'),
    });
  });

  test('ends where waiting cannot help', async () => {
    const { start, training } = await packed();
    training.failNext('start', quota('ml.m5.xlarge', 0));
    training.failNext('start', quota('ml.c5.xlarge', 0));
    await expect(start()).rejects.toMatchObject({
      name: 'InstanceCapacity',
      message: expect.stringContaining('Name more types in training.instances.types'),
    });
  });

  test('is repeated where SageMaker throttles', async () => {
    const { start, training } = await packed();
    training.failNext('start', { name: 'Throttled', message: 'Rate exceeded' });
    await expect(start()).rejects.toMatchObject({ name: 'TransformThrottled' });
  });

  test('what SageMaker says of the request ends the training', async () => {
    const { start, training } = await packed();
    training.failNext('start', { name: 'ValidationException', message: 'No S3 objects found under S3 URL' });
    await expect(start()).rejects.toMatchObject({
      name: 'TrainingRefused',
      message: 'No S3 objects found under S3 URL',
    });
  });

  test('a job whose execution is over is stopped at once', async () => {
    const { start, training, machine, record } = await packed();
    machine.end(toExecutionName(TRAINING), 'ABORTED');
    const { jobName } = (await start()) as { jobName: string };
    expect(training.stopped).toEqual([jobName]);
    expect(record()).toMatchObject({
      status: 'Stopping',
      stopReason: expect.stringContaining('execution ended'),
    });
  });
});

describe('CheckTraining', () => {
  test('shows how far the job is', async () => {
    const { start, check, training, nameOf, pass, record } = await packed(
      {},
      {
        'algo-1': ['hello', 'loss: 0.9', 'loss: 0.5', 'loss: nan', ' ', 'x'.repeat(300), ''],
        'algo-2': ['loss: 7'],
      },
    );
    await start();
    training.update(nameOf(), {
      secondaryStatus: 'Training',
      startedAt: NOW,
      transitions: [{ status: 'Training', startedAt: NOW, message: 'Training in progress.' }],
    });
    pass(1_800);
    expect(await check({ poll: 3 })).toEqual({
      status: 'running',
      waitSeconds: expect.any(Number),
      poll: 4,
      secondaryStatus: 'Training',
      metrics: { loss: null },
      lastLines: ['loss: 0.5', 'loss: nan', 'x'.repeat(200)],
    });
    expect(record()).toMatchObject({
      secondaryStatus: 'Training',
      costUsd: 0.1152,
      phases: [{ status: 'Training', message: 'Training in progress.' }],
    });
  });

  test('waits grow with the time of the training', async () => {
    const { start, check, pass } = await packed();
    await start();
    const first = await check();
    pass(600);
    const later = await check({ poll: 30 });
    expect([first, later]).toMatchObject([{ waitSeconds: 1 }, { waitSeconds: 60 }]);
  });

  test('keeps metrics and the end of the log once the job has ended', async () => {
    const { start, check, training, nameOf, pass, record, metrics } = await packed(
      {},
      { 'algo-1': ['loss: 0.9', 'loss: nan'], 'algo-2': ['loss: 0.8', 'done'] },
    );
    await start();
    training.update(nameOf(), {
      status: 'Completed',
      secondaryStatus: 'Completed',
      startedAt: NOW,
      endedAt: pass(600),
      trainingSeconds: 600,
      billableSeconds: 500,
      finalMetrics: [{ name: 'loss', value: Number.NaN }],
      transitions: [{ status: 'Training', startedAt: NOW, endedAt: new Date(NOW.getTime() + 600_000) }],
    });
    expect(await check()).toMatchObject({ status: 'running', waitSeconds: 5 });
    pass(5);
    expect(await check()).toEqual({ status: 'ended', jobStatus: 'Completed' });
    expect(record()).toMatchObject({
      status: 'Completed',
      billableSeconds: 500,
      costUsd: 0.032,
      endedAt: '2026-03-01T12:10:00.000Z',
      phases: [{ status: 'Training', endedAt: '2026-03-01T12:10:00.000Z' }],
      artifact: expect.stringMatching(/\/output\/model\.tar\.gz$/),
    });
    expect(metrics()).toMatchObject({
      jobName: nameOf(),
      final: { loss: null },
      series: [
        { host: 'algo-1', points: [{ value: 0.9 }, { value: null }] },
        { host: 'algo-2', points: [{ value: 0.8 }] },
      ],
      logEnd: [
        { host: 'algo-1', lines: ['loss: 0.9', 'loss: nan'] },
        { host: 'algo-2', lines: ['loss: 0.8', 'done'] },
      ],
      isWhole: true,
    });
  });

  test('a job that failed ends the training with its reason, and keeps its log', async () => {
    const { start, check, training, nameOf, pass, record, metrics } = await packed(
      {},
      { 'algo-1': ['Traceback'] },
    );
    await start();
    const failureReason = 'AlgorithmError: ExecuteUserScriptError:\nExitCode 1';
    training.update(nameOf(), { status: 'Failed', secondaryStatus: 'Failed', failureReason, endedAt: NOW });
    pass(10);
    await expect(check()).rejects.toMatchObject({ name: 'TrainingFailed', message: failureReason });
    expect(record()).toMatchObject({ status: 'Failed', failureReason });
    expect(metrics().logEnd).toEqual([{ host: 'algo-1', lines: ['Traceback'] }]);
  });

  test('an error of SageMaker itself is no fault of the script', async () => {
    const { start, check, training, nameOf, pass } = await packed();
    await start();
    const failureReason = 'InternalServerError: We encountered an internal error. Please try again.';
    training.update(nameOf(), { status: 'Failed', secondaryStatus: 'Failed', failureReason, endedAt: NOW });
    pass(10);
    await expect(check()).rejects.toMatchObject({ name: 'TrainingInterrupted', message: failureReason });
  });

  test.each([
    [50_001, ''],
    [23, 'x'.repeat(1_000_000)],
  ])('a log of %i lines, more than is read, has its end all the same', async (length, padding) => {
    const lines = Array.from({ length }, (_, at) => `line ${at} ${padding}`);
    const { start, check, training, nameOf, pass, metrics } = await packed({}, { 'algo-1': lines });
    await start();
    training.update(nameOf(), { status: 'Completed', endedAt: NOW });
    pass(10);
    await check();
    expect(metrics()).toMatchObject({ isWhole: false, logEnd: [{ host: 'algo-1' }] });
    const last = metrics().logEnd[0]!.lines.at(-1)!;
    expect(last).toMatch(new RegExp(`^line ${length - 1} `));
    expect(last.length).toBeLessThanOrEqual(500);
  });

  test('a log whose matching takes too long is read in part, and has its end all the same', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `loss: ${at}`);
    const metrics = { loss: '.*loss: ([0-9]+)' };
    const made = await packed({ training: { ...TYPES, metrics } }, { 'algo-1': lines }, 1000);
    await made.start();
    made.training.update(made.nameOf(), { status: 'Completed', endedAt: NOW });
    made.pass(10);
    await made.check();
    const { isWhole, series, logEnd } = made.metrics();
    expect(isWhole).toBe(false);
    expect(series[0]!.count).toBe(45);
    expect(logEnd[0]!.lines.at(-1)).toBe('loss: 199');
  });

  test('without capacity the next type is tried, which costs nothing', async () => {
    const { start, check, training, nameOf, record } = await packed();
    await start();
    training.update(nameOf(), {
      status: 'Failed',
      failureReason: 'CapacityError: Unable to provision',
      endedAt: NOW,
    });
    expect(await check()).toEqual({ status: 'no-capacity', instance: 1, attempt: 2 });
    expect(record()).toMatchObject({ capacity: true, costUsd: 0 });
    expect(await start({ attempt: 2, instance: 1 })).toMatchObject({ attempt: 2, instance: 1 });
    expect(nameOf(2)).not.toBe(nameOf());
    training.update(nameOf(2), { status: 'Failed', failureReason: 'CapacityError: again', endedAt: NOW });
    await expect(check({ attempt: 2, instance: 1 })).rejects.toMatchObject({
      name: 'InstanceCapacity',
      message: expect.stringMatching(/CapacityError: again\. Name more types in training\.instances\.types/),
    });
  });

  test('past its cap the job is stopped, with the record first', async () => {
    const { start, check, training, nameOf, pass, record } = await packed({
      training: { ...TYPES, maxCostUsd: 0.24 },
    });
    await start();
    training.update(nameOf(), { startedAt: NOW });
    pass(3_000);
    expect(await check()).toMatchObject({ status: 'running' });
    expect(training.stopped).toEqual([]);
    pass(800);
    training.failNext('stop', { name: 'InternalError', message: 'x' });
    await expect(check()).rejects.toMatchObject({ name: 'InternalError' });
    expect(record().stopReason).toBe('training.maxCostUsd is $0.24, the training has cost $0.24');
    await check();
    expect(training.stopped).toEqual([nameOf()]);
    pass(600);
    await check();
    expect(training.stopped).toEqual([nameOf()]);
    expect(record().stopReason).toBe('training.maxCostUsd is $0.24, the training has cost $0.24');
  });

  test.each([
    [
      'that SageMaker does not end in time',
      { startedAt: NOW },
      4_400,
      'training.maxRunMinutes is 60, the job has taken 73',
    ],
    ['that gets no instance', {}, 18_000, 'no instance came within 240 minutes (limits.maxRuntimeMinutes)'],
  ])('a job %s is stopped', async (_what, change, seconds, stopReason) => {
    const { start, check, training, nameOf, pass, record } = await packed({
      training: { ...TYPES, maxCostUsd: null },
    });
    await start();
    training.update(nameOf(), change);
    pass(seconds);
    await check();
    expect(record().stopReason).toBe(stopReason);
    expect(training.stopped).toEqual([nameOf()]);
  });

  test('what all attempts have cost counts against the cap', async () => {
    const { start, check, training, nameOf, pass, record, store } = await packed({
      training: { ...TYPES, maxCostUsd: 0.24 },
    });
    await start();
    const first = { ...record(), status: 'Failed', capacity: true, costUsd: 0.2 };
    store.put(bucketLayout.job(TRAINING, 1), JSON.stringify(first));
    await start({ attempt: 2 });
    training.update(nameOf(2), { startedAt: NOW });
    pass(700);
    await check({ attempt: 2 });
    expect(training.stopped).toEqual([nameOf(2)]);
    expect(record(2).stopReason).toMatch(/^training.maxCostUsd is \$0.24, the training has cost \$0.24/);
  });

  test('a job about which there is nothing new has its record left alone', async () => {
    const { start, check, training, nameOf, pass, store } = await packed();
    await start();
    training.update(nameOf(), { startedAt: NOW });
    const writes = () => store.requests.filter(({ operation }) => operation === 'PUT').length;
    await check();
    const before = writes();
    pass(60);
    await check();
    expect(writes()).toBe(before);
    for (const change of [
      { secondaryStatus: 'Training' },
      { transitions: [{ status: 'Training', startedAt: NOW }] },
      { status: 'Stopping' as const },
    ]) {
      training.update(nameOf(), change);
      await check();
    }
    expect(writes()).toBe(before + 3);
  });

  test.each([
    ['at once where the clock is behind', { endedAt: new Date(NOW.getTime() + 60_000) }, 0, 'ended'],
    ['at once where SageMaker does not say when it ended', {}, 5, 'ended'],
    ['soon where it has just ended', { endedAt: new Date(NOW.getTime() + 8_500) }, 10, 'running'],
  ])('the log of a job is read %s', async (_, change, seconds, status) => {
    const { start, check, training, nameOf, pass } = await packed();
    await start();
    training.update(nameOf(), { status: 'Completed', ...change });
    pass(seconds);
    const answer = await check({ poll: 7 });
    expect(answer).toMatchObject({ status });
    if (answer.status === 'running') expect(answer).toMatchObject({ waitSeconds: 4, poll: 8 });
  });

  test('a job that failed without a reason says so', async () => {
    const { start, check, training, nameOf, pass } = await packed();
    await start();
    training.update(nameOf(), { status: 'Failed', endedAt: NOW });
    pass(10);
    await expect(check()).rejects.toThrow(`SageMaker gives no reason for ${nameOf()}`);
  });

  test('a job that is being deleted is on its way to its end', async () => {
    const { start, check, training, nameOf, record } = await packed();
    await start();
    training.update(nameOf(), { status: 'Deleting' });
    expect(await check()).toMatchObject({ status: 'running' });
    expect(record()).toMatchObject({ status: 'Stopping' });
  });

  test('what the application itself has stopped goes on where it left a model, else it says why', async () => {
    const { start, check, training, nameOf, pass, store } = await packed({
      training: { ...TYPES, maxCostUsd: 0.24 },
    });
    await start();
    training.update(nameOf(), { startedAt: NOW });
    await (pass(4_000), check());
    training.update(nameOf(), { status: 'Stopped', secondaryStatus: 'Stopped', endedAt: NOW });
    await expect(check()).rejects.toThrow(
      /was stopped: training\.maxCostUsd is \$0\.24, the training has cost \$0\.26\. It left no model$/i,
    );
    store.put(`${bucketLayout.trainingOutput(TRAINING, PLAN_ID)}${nameOf()}/output/model.tar.gz`, 'model');
    expect(await check()).toEqual({ status: 'ended', jobStatus: 'Stopped' });
  });

  test.each(['MaxRuntimeExceeded', 'MaxWaitTimeExceeded'])(
    'what %s has stopped goes on where it left a model',
    async (secondaryStatus) => {
      const { start, check, training, nameOf, pass, store } = await packed();
      await start();
      training.update(nameOf(), { status: 'Stopped', secondaryStatus, endedAt: NOW });
      pass(10);
      await expect(check()).rejects.toMatchObject({
        name: 'TrainingStopped',
        message: `${nameOf()} was stopped: ${secondaryStatus}. It left no model`,
      });
      store.put(`${bucketLayout.trainingOutput(TRAINING, PLAN_ID)}${nameOf()}/output/model.tar.gz`, 'model');
      expect(await check()).toEqual({ status: 'ended', jobStatus: 'Stopped' });
    },
  );

  test('what a person has stopped does not go on', async () => {
    const { start, check, training, nameOf, pass, store } = await packed();
    await start();
    training.update(nameOf(), { status: 'Stopped', secondaryStatus: 'Stopped', endedAt: NOW });
    store.put(`${bucketLayout.trainingOutput(TRAINING, PLAN_ID)}${nameOf()}/output/model.tar.gz`, 'model');
    pass(10);
    await expect(check()).rejects.toMatchObject({
      name: 'TrainingStopped',
      message: expect.stringMatching(
        /was stopped: StopTrainingJob was called\. What it had saved by then is s3:.*\/model\.tar\.gz$/,
      ),
    });
  });

  test('a check reads some megabytes of a running log, and the next one goes on', async () => {
    const log = [...Array<string>(12).fill('x'.repeat(900_000)), ...Array<string>(3).fill('loss: nan')];
    const { start, check, training, nameOf } = await packed({}, { 'algo-1': log });
    await start();
    training.update(nameOf(), { secondaryStatus: 'Training', startedAt: NOW });
    await check();
    expect(training.stopped).toEqual([]);
    await check();
    expect(training.stopped).toEqual([nameOf()]);
  });

  test('a job whose metrics say so is stopped while its script runs, each value counted once, and billed for its time', async () => {
    const lines = ['loss: 0.5', 'loss: 0.4', 'loss: 0.6'];
    const { start, check, training, nameOf, pass, record, store } = await packed(
      { training: { ...TYPES, stop: { metric: 'loss', mode: 'min', patience: 2 } } },
      { 'algo-1': lines, 'algo-10': Array(9).fill('loss: 9') },
    );
    await start();
    training.update(nameOf(), { secondaryStatus: 'Training', startedAt: NOW });
    for (let look = 0; look < 3; look++) await check();
    expect(training.stopped).toEqual([]);
    lines.push('loss: 0.4');
    training.update(nameOf(), { secondaryStatus: 'Uploading' });
    await check();
    expect(training.stopped).toEqual([]);
    training.update(nameOf(), { secondaryStatus: 'Training' });
    await check();
    expect(training.stopped).toEqual([nameOf()]);
    const stopReason = 'training.stop: none of the last 2 values of loss was better than 0.4';
    expect(record()).toMatchObject({ stopReason });
    training.update(nameOf(), {
      status: 'Stopped',
      secondaryStatus: 'Stopped',
      endedAt: pass(300),
      billableSeconds: 250,
    });
    pass(10);
    await expect(check()).rejects.toMatchObject({
      name: 'TrainingStopped',
      message: `${nameOf()} was stopped: ${stopReason}. It left no model`,
    });
    expect(record().costUsd).toBeCloseTo((250 / 3600) * 0.2304, 6);
    store.put(`${bucketLayout.trainingOutput(TRAINING, PLAN_ID)}${nameOf()}/output/model.tar.gz`, 'model');
    expect(await check()).toEqual({ status: 'ended', jobStatus: 'Stopped' });
  });

  test('a job whose loss is NaN is stopped unless pipeline.json says otherwise', async () => {
    const log = { 'algo-1': ['loss: 2.3', ...Array<string>(3).fill('loss: nan')] };
    for (const nan of [undefined, false]) {
      const made = await packed({ training: { ...TYPES, stop: { nan } } }, log);
      await made.start();
      made.training.update(made.nameOf(), { secondaryStatus: 'Training', startedAt: NOW });
      await made.check();
      expect(made.training.stopped).toEqual(nan === false ? [] : [made.nameOf()]);
    }
  });

  test('a job that SageMaker does not know ends the training', async () => {
    const { start, check, training, nameOf } = await packed();
    await start();
    training.jobs.delete(nameOf());
    await expect(check()).rejects.toMatchObject({ name: 'TrainingJobMissing' });
  });

  test('spot capacity costs what SageMaker bills', async () => {
    const { start, check, training, nameOf, pass, record } = await packed({
      training: { ...TYPES, spot: { maxWaitMinutes: 120 } },
    });
    await start();
    expect(training.jobs.get(nameOf())!.request).toMatchObject({
      EnableManagedSpotTraining: true,
      StoppingCondition: { MaxRuntimeInSeconds: 3_600, MaxWaitTimeInSeconds: 7_200 },
    });
    training.update(nameOf(), {
      status: 'Completed',
      startedAt: NOW,
      endedAt: pass(1_000),
      trainingSeconds: 1_000,
      billableSeconds: 300,
    });
    pass(10);
    await check();
    expect(record()).toMatchObject({ trainingSeconds: 1_000, costUsd: 0.0192 });
  });
});
