import { describe, expect, test } from 'vitest';
import { planJson } from '../../../src/app/records/plan.ts';
import { refusalJson } from '../../../src/app/records/refusal.ts';
import { startRun } from '../../../src/app/run/start-run.ts';
import { checkTransform } from '../../../src/app/transform/check-transform.ts';
import { prepareModel } from '../../../src/app/transform/prepare-model.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import { Condition } from '../../../src/problem/conditions.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import {
  ask,
  type Behavior,
  drive,
  failing,
  planned,
  PREFIX,
  prepare,
  reconciled,
  record,
  start,
} from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { notPrepared } from '../../support/no-engine.ts';

const FIVE = { 'a.png': 1, 'b.png': 2, 'c.png': 3, 'd.png': 4, 'e.png': 5 };

describe('PrepareModel', () => {
  test('keeps the archive by its digest and names the model by what it is', async () => {
    const { store, sagemaker, plan } = await planned();
    await expect(prepare({ store, sagemaker })).resolves.toEqual({
      modelName: plan.model.name,
    });
    const kept = bucketLayout.model(plan.model.sha256);
    expect(store.text(kept)).toEqual(store.text(bucketLayout.pipelineModel('shapes')));
    expect(sagemaker.models.get(plan.model.name)).toMatchObject({
      artifactUri: `s3://bucket/${kept}`,
      roleArn: SETTINGS.roleArn,
    });
  });

  test('converts the model where a function is to open it, and only there', async () => {
    const { store, sagemaker, plan } = await planned();
    const asked: unknown[] = [];
    const convert = async (...what: unknown[]) => void asked.push(what);
    await prepare({ store, sagemaker }, convert);
    expect(asked).toEqual([]);
    const served = { ...plan.model, sha256: 'b'.repeat(64) };
    store.put(bucketLayout.model(served.sha256), '');
    const endpoint = { ...plan.endpoint!, type: 'lambda' as const };
    await planJson(PARTS).write(store, { ...plan, endpoint });
    await prepare({ store, sagemaker }, convert);
    expect(asked).toEqual([[plan.model.sha256, 'endpoint']]);
  });

  test('converts the model of a run in functions before it has one of them open it', async () => {
    const { store } = await planned({
      pipeline: { ...PIPELINE, transform: { engine: 'lambda', contentType: 'application/json' } },
    });
    const { model } = await planJson(PARTS).require(store);
    const happened: unknown[] = [];
    const lambda = async () => String(happened.push('opened'));
    await prepareModel(
      { run: PARTS },
      {
        store,
        prepare: { sagemaker: notPrepared, lambda },
        convertModel: async (...what) => void happened.push(what),
      },
    );
    expect(happened).toEqual([[model.sha256, 'run'], 'opened']);
  });

  test('has the run planned again, once, where PlanRun has chosen functions and they cannot run the model', async () => {
    const refusal = new Condition(
      'ModelNeedsContainer',
      'the model cannot run with transform.engine "lambda": X',
      {
        cause: new Error('X'),
      },
    );
    const prepareFor = async (transform: object, error: Error) => {
      const { store } = await planned({
        pipeline: { ...PIPELINE, transform: { contentType: 'application/json', ...transform } },
        files: { 'a.json': 1 },
      });
      const services = {
        store,
        prepare: { sagemaker: notPrepared, lambda: notPrepared },
        convertModel: () => Promise.reject(error),
      };
      return { store, prepared: () => prepareModel({ run: PARTS }, services) };
    };
    const chosen = await prepareFor({ engine: 'auto' }, refusal);
    // A call that is repeated has the same answer.
    expect(await chosen.prepared()).toEqual({ modelName: null });
    expect(await chosen.prepared()).toEqual({ modelName: null });
    expect(await refusalJson(PARTS).require(chosen.store)).toMatchObject({ reason: 'X' });
    const plan = await planJson(PARTS).require(chosen.store);
    await planJson(PARTS).write(chosen.store, { ...plan, createdAt: '2026-03-01T13:00:00.000Z' });
    await expect(chosen.prepared()).rejects.toBe(refusal);

    const asked = await prepareFor({ engine: 'lambda' }, refusal);
    await expect(asked.prepared()).rejects.toBe(refusal);
    const wrong = new Condition('ModelRefused', "the model's script fails: NameError");
    const failing = await prepareFor({ engine: 'auto' }, wrong);
    await expect(failing.prepared()).rejects.toBe(wrong);
  });

  test('uses an equal model again', async () => {
    const { store, sagemaker } = await planned();
    await prepare({ store, sagemaker });
    const copies = () => store.requests.filter(({ operation }) => operation === 'COPY').length;
    expect(copies()).toBe(1);
    await prepare({ store, sagemaker });
    expect([copies(), sagemaker.models.size]).toEqual([1, 1]);
  });

  test('says what SageMaker refuses of the model', async () => {
    const { store, sagemaker } = await planned();
    sagemaker.failNext('createModel', { name: 'ValidationException', message: 'Conv9D is not known' });
    await expect(prepare({ store, sagemaker })).rejects.toMatchObject({
      name: 'ModelRefused',
      message:
        'SageMaker does not take the model s3://bucket/pipelines/shapes/model.tar.gz: Conv9D is not known',
    });
  });

  test('asks for the model that the plan says, with the tags that it is found by', async () => {
    const { store, sagemaker, plan } = await planned();
    await prepare({ store, sagemaker });
    const { name, sha256, imageUri, environment } = plan.model;
    expect(sagemaker.models.get(name)).toEqual({
      name,
      roleArn: SETTINGS.roleArn,
      imageUri,
      artifactUri: `s3://bucket/${bucketLayout.model(sha256)}`,
      environment,
      networkIsolation: true,
      tags: { 'inferdrop:pipeline': 'shapes', 'inferdrop:sha256': sha256 },
    });
  });

  test.each([
    ['image other', { imageUri: 'other' }],
    ['artifact other', { artifactUri: 'other' }],
    ['role other', { roleArn: 'other' }],
    ['network isolation false', { networkIsolation: false }],
    ['other environment variables', { environment: { OTHER: '1' } }],
  ])('refuses a model of its name that has %s: %j', async (found, difference) => {
    const { store, sagemaker, plan } = await planned();
    await prepare({ store, sagemaker });
    const made = sagemaker.models.get(plan.model.name)!;
    sagemaker.models.set(plan.model.name, { ...made, ...difference });
    await expect(prepare({ store, sagemaker })).rejects.toMatchObject({
      name: 'ModelNameTaken',
      message: `SageMaker model ${plan.model.name} is not ours: ${found}. Delete it, and run again`,
    });
  });

  test('uses a model again that has the same environment variables', async () => {
    const { store, sagemaker, plan } = await planned();
    const model = { ...plan.model, environment: { TS_WORKERS: '2' } };
    store.put(bucketLayout.plan(PARTS), JSON.stringify({ ...plan, model }));
    for (const _ of ['made', 'used again'])
      await expect(prepare({ store, sagemaker })).resolves.toBeDefined();
  });

  test('refuses a model of its name that was deleted while it was compared', async () => {
    const { store, sagemaker, plan } = await planned();
    sagemaker.failNext('createModel', { name: 'ResourceInUse', message: 'exists' });
    await expect(prepare({ store, sagemaker })).rejects.toMatchObject({
      name: 'ModelNameTaken',
      message: `SageMaker model ${plan.model.name} is not ours: it was deleted meanwhile. Delete it, and run again`,
    });
  });

  test.each([
    ['NotFound', 'ModelRefused'],
    ['Throttled', 'Throttled'],
  ])('meets SageMaker’s %s as %s: what may pass is not a refusal', async (name, met) => {
    const { store, sagemaker } = await planned();
    sagemaker.failNext('createModel', { name, message: 'no' });
    await expect(prepare({ store, sagemaker })).rejects.toMatchObject({ name: met });
  });
});

describe('StartTransform', () => {
  test('finds its job again after it died between start and record', async () => {
    const { store, sagemaker } = await planned();
    const first = await start({ store, sagemaker });
    await expect(start({ store, sagemaker })).resolves.toEqual(first);
    expect(sagemaker.jobs.size).toBe(1);
  });

  test.each([
    ['ABORTED', ['Stopping', 1]],
    ['PENDING_REDRIVE', ['InProgress', 0]],
  ] as const)('of an execution that is %s meanwhile leaves its job %j', async (status, expected) => {
    const run = await planned();
    const executions = memoryExecutions();
    await startRun(() => executions, PARTS);
    const { startTransformJob } = run.sagemaker;
    run.sagemaker.startTransformJob = (spec) => {
      executions.end(toExecutionName(PARTS), status);
      return startTransformJob(spec);
    };
    await start({ ...run, executions: () => executions });
    expect([record(run.store, 1).status, run.sagemaker.stopped.length]).toEqual(expected);
  });

  test('does not take over a job with other tags', async () => {
    const { store, sagemaker } = await planned();
    const { jobName } = await start({ store, sagemaker });
    const job = sagemaker.jobs.get(jobName)!;
    sagemaker.jobs.set(jobName, { ...job, spec: { ...job.spec, tags: {} } });
    await expect(start({ store, sagemaker })).rejects.toMatchObject({ name: 'JobNameTaken' });
  });

  const types = { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlarge', 'ml.c5.xlarge'] } };

  test('goes on to the next instance type where a quota is used up', async () => {
    const { store, sagemaker } = await planned({ pipeline: types });
    sagemaker.failNext('startTransformJob', { name: 'ResourceLimitExceeded', message: 'no' });
    await start({ store, sagemaker });
    expect(record(store, 1)).toMatchObject({
      engine: { instanceType: 'ml.c5.xlarge' },
      status: 'InProgress',
    });
  });

  const refused = (message: string) => ({ name: 'ResourceLimitExceeded', message });
  const IN_USE = refused(
    'is 4 Instances, with current utilization of 4 Instances and a request delta of 1 Instances.',
  );

  test('goes on to the next instance type where the region lacks one', async () => {
    const { store, sagemaker } = await planned({ pipeline: types });
    const message =
      "1 validation error detected: Value 'ml.m5.xlarge' at 'transformResources.instanceType' failed to satisfy " +
      'constraint: Member must satisfy enum value set: [ml.c5.xlarge]';
    sagemaker.failNext('startTransformJob', { name: 'ValidationException', message });
    await start({ store, sagemaker });
    expect(record(store, 1).engine).toMatchObject({ instanceType: 'ml.c5.xlarge' });
  });

  test.each([
    refused('is 0 Instances, with current utilization of 0 Instances and a request delta of 1 Instances.'),
    {
      name: 'ValidationException',
      message:
        "1 validation error detected: Value 'ml.m5.xlarge' at 'transformResources.instanceType' failed to satisfy " +
        'constraint: Member must satisfy enum value set: []',
    },
  ])('ends at once where waiting cannot help: %j', async (error) => {
    const run = await planned();
    run.sagemaker.failNext('startTransformJob', error);
    await expect(ask(run)).rejects.toMatchObject({ name: 'InstanceCapacity' });
  });

  test('does not take another refusal of the request for one of the instance type', async () => {
    const run = await planned({ pipeline: types });
    run.sagemaker.failNext('startTransformJob', {
      name: 'ValidationException',
      message: 'Could not find model',
    });
    await expect(ask(run)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('waits where the quota of every type is in use, longer each time', async () => {
    const run = await planned();
    run.sagemaker.failNext('startTransformJob', IN_USE);
    await expect(ask(run)).resolves.toEqual({ status: 'waiting', waitSeconds: 1, poll: 1 });
    run.sagemaker.failNext('startTransformJob', IN_USE);
    await expect(ask(run, { attempt: 1, poll: 30 })).resolves.toEqual({
      status: 'waiting',
      waitSeconds: 60,
      poll: 31,
    });
    await expect(ask(run)).resolves.toMatchObject({ status: 'started' });
  });

  const TOO_SMALL = refused(
    'is 0 Instances, with current utilization of 0 Instances and a request delta of 1 Instances.',
  );

  test.each([
    ['first', [IN_USE, TOO_SMALL]],
    ['second', [TOO_SMALL, IN_USE]],
  ])(
    'waits where the quota of the %s of two types is in use, and the other one too small',
    async (_, errors) => {
      const run = await planned({ pipeline: types });
      for (const error of errors) run.sagemaker.failNext('startTransformJob', error);
      await expect(ask(run)).resolves.toMatchObject({ status: 'waiting' });
    },
  );

  test('ends without an instance where the jobs before had none either', async () => {
    const run = await planned({ pipeline: types });
    const { jobName } = await start(run);
    const failureReason = 'CapacityError: Unable to provision';
    run.sagemaker.update(jobName, { status: 'Failed', failureReason, endedAt: NOW });
    await checkTransform({ run: PARTS, attempt: 1, poll: 0 }, run);
    run.sagemaker.failNext('startTransformJob', TOO_SMALL);
    await expect(ask(run, { attempt: 2, poll: 0 })).rejects.toMatchObject({
      name: 'InstanceCapacity',
      message: expect.stringMatching(/of ml\.m5\.xlarge, ml\.c5\.xlarge: ml\.c5\.xlarge: is 0 Instances/),
    });
  });

  test('finds a job that an earlier call started on a later instance type, and goes on from that type', async () => {
    const run = await planned({ pipeline: types });
    const before = run.store.text(bucketLayout.job(PARTS, 1))!;
    run.sagemaker.failNext('startTransformJob', IN_USE);
    await start(run);
    run.store.put(bucketLayout.job(PARTS, 1), before);
    await start(run);
    expect(run.sagemaker.jobs.size).toBe(1);
    expect(record(run.store, 1).engine).toMatchObject({ instanceType: 'ml.c5.xlarge' });
  });

  test('has started a job that SageMaker does not list yet', async () => {
    const run = await planned();
    const { describeTransformJob } = run.sagemaker;
    run.sagemaker.describeTransformJob = async () => undefined;
    const { jobName } = await start(run);
    expect(record(run.store, 1)).toMatchObject({
      jobName,
      status: 'InProgress',
      engine: { instanceType: 'ml.m5.xlarge' },
    });
    run.later(1);
    run.sagemaker.describeTransformJob = describeTransformJob;
    await start(run);
    expect(run.sagemaker.jobs.size).toBe(1);
  });

  test('has waited long enough for a first job after limits.maxRuntimeMinutes', async () => {
    const run = await planned({ pipeline: { ...PIPELINE, limits: { maxRuntimeMinutes: 60 } } });
    const wait = () => {
      run.sagemaker.failNext('startTransformJob', IN_USE);
      return ask(run);
    };
    run.later(59);
    await expect(wait()).resolves.toMatchObject({ status: 'waiting' });
    run.later(1);
    await expect(wait()).rejects.toMatchObject({
      name: 'ResourceLimitExceeded',
      message: expect.stringMatching(/limits\.maxRuntimeMinutes is 60, .* ml\.m5\.xlarge: is 4 Instances/),
    });
  });

  test('gives a run that has waited its whole time from its first job on', async () => {
    const run = await planned({ pipeline: { ...PIPELINE, limits: { maxRuntimeMinutes: 60 } } });
    run.later(59);
    const { jobName } = await start(run);
    const look = () => checkTransform({ run: PARTS, attempt: 1, poll: 0 }, run);
    run.later(71);
    await look();
    expect(run.sagemaker.stopped).toEqual([]);
    run.later(2);
    await look();
    expect(run.sagemaker.stopped).toEqual([jobName]);
  });

  test('keeps what the jobs before have yielded where no instance comes free in time', async () => {
    const run = await planned({ pipeline: { ...PIPELINE, limits: { maxRuntimeMinutes: 60 } } });
    const { jobName } = await start(run);
    run.sagemaker.update(jobName, { status: 'Failed', startedAt: NOW, endedAt: NOW });
    await checkTransform({ run: PARTS, attempt: 1, poll: 0 }, run);
    const inputs = run.plan.objects;
    run.store.put(`${bucketLayout.predictions(PARTS)}a.png.out`, '{}');
    const reconcile = { run: PARTS, attempt: 1 };
    await expect(
      reconcileOutputs(reconcile, { ...run, newId: () => crypto.randomUUID(), logs: memoryEngineLogs() }),
    ).resolves.toMatchObject({ next: 'transform', attempt: 2 });
    run.later(60);
    run.sagemaker.failNext('startTransformJob', IN_USE);
    const given = await ask(run, { attempt: 2, poll: 5 });
    expect(given).toEqual({ status: 'ended', attempt: 1 });
    await expect(
      reconcileOutputs(reconcile, { ...run, newId: () => crypto.randomUUID(), logs: memoryEngineLogs() }),
    ).resolves.toEqual({
      next: 'fold',
      shards: 1,
      inputs,
      missing: inputs - 1,
      isRound: false,
    });
  });

  test('reports throttling by its name', async () => {
    const { store, sagemaker } = await planned();
    sagemaker.failNext('startTransformJob', { name: 'Throttled', message: 'Rate exceeded' });
    await expect(start({ store, sagemaker })).rejects.toMatchObject({ name: 'TransformThrottled' });
  });
});

describe('CheckTransform', () => {
  const limited = { ...PIPELINE, limits: { maxCostUsd: 1, maxRuntimeMinutes: 4_320 } };

  test('counts outputs and waits longer each time', async () => {
    const { store, sagemaker, engines, clock } = await planned({ files: FIVE });
    await start({ store, sagemaker });
    store.put(`${bucketLayout.predictions(PARTS)}a.png.out`);
    const look = (poll: number) =>
      checkTransform({ run: PARTS, attempt: 1, poll }, { store, engines, clock });
    await expect(look(0)).resolves.toEqual({
      status: 'running',
      waitSeconds: 1,
      poll: 1,
      progress: { done: 1, total: 5, approximate: false },
    });
    await expect(look(30)).resolves.toMatchObject({ waitSeconds: 60 });
  });

  test('lets a job go on up to 120 % of the cost bound, then stops it', async () => {
    const { store, sagemaker, engines, clock, later } = await planned({ pipeline: limited });
    const { jobName } = await start({ store, sagemaker });
    sagemaker.update(jobName, { startedAt: NOW });
    const look = () => checkTransform({ run: PARTS, attempt: 1, poll: 0 }, { store, engines, clock });
    later(5 * 60);
    await look();
    expect(sagemaker.stopped).toEqual([]);
    later(20);
    await expect(look()).resolves.toMatchObject({ status: 'running' });
    expect(sagemaker.stopped).toEqual([jobName]);
    expect(record(store, 1).stopReason).toContain('limits.maxCostUsd is $1');
    await expect(look()).resolves.toEqual({ status: 'ended', jobStatus: 'Stopped' });
  });

  test('stops a job that takes too long', async () => {
    const { store, sagemaker, engines, clock, later } = await planned();
    const { jobName } = await start({ store, sagemaker });
    later(240 * 1.2 + 1);
    await checkTransform({ run: PARTS, attempt: 1, poll: 0 }, { store, engines, clock });
    expect(sagemaker.stopped).toEqual([jobName]);
  });

  const looker =
    ({ store, engines, clock }: Awaited<ReturnType<typeof planned>>) =>
    () =>
      checkTransform({ run: PARTS, attempt: 1, poll: 0 }, { store, engines, clock });

  test.each([
    ['its instance ran', { startedAt: NOW }, 0.1152],
    ['none was billed', {}, 0],
  ])('writes what a job has cost of which %s, and why it failed', async (_, begun, costUsd) => {
    const run = await planned();
    const { jobName } = await start(run);
    const failureReason = 'AlgorithmError: no ping';
    const endedAt = run.later(30);
    run.sagemaker.update(jobName, { status: 'Failed', failureReason, ...begun, endedAt });
    await expect(looker(run)()).resolves.toEqual({ status: 'ended', jobStatus: 'Failed' });
    const { capacity, ...written } = record(run.store, 1);
    expect(capacity).toBeUndefined();
    expect(written).toMatchObject({
      status: 'Failed',
      failureReason,
      endedAt: endedAt.toISOString(),
      costUsd,
      ...('startedAt' in begun && { startedAt: NOW.toISOString() }),
    });
  });

  test('does not know what a job costs on an instance type without a price', async () => {
    const run = await planned();
    const key = bucketLayout.plan(PARTS);
    run.store.put(key, JSON.stringify({ ...run.plan, cost: { ...run.plan.cost, pricesUsd: {} } }));
    const { jobName } = await start(run);
    run.sagemaker.update(jobName, { status: 'Completed', startedAt: NOW, endedAt: run.later(30) });
    await looker(run)();
    expect(record(run.store, 1).costUsd).toBeNull();
  });

  test('notes when billing begins, and writes nothing while nothing changes', async () => {
    const run = await planned();
    const { jobName } = await start(run);
    const look = looker(run);
    const written = () => run.store.requests.filter(({ operation }) => operation === 'PUT').length;
    const before = written();
    await look();
    expect(written()).toBe(before);
    run.sagemaker.update(jobName, { startedAt: NOW });
    await look();
    expect(record(run.store, 1).startedAt).toBe(NOW.toISOString());
    await look();
    expect(written()).toBe(before + 1);
  });

  test('stops a job past its limit though the call before died when it had noted why, and asks once', async () => {
    const run = await planned();
    const { jobName } = await start(run);
    const look = looker(run);
    run.later(240 * 1.2 + 1);
    run.sagemaker.failNext('stopTransformJob', { name: 'Throttled', message: 'Rate exceeded' });
    await expect(look()).rejects.toThrow('Rate exceeded');
    const { stopReason } = record(run.store, 1);
    expect(stopReason).toContain('limits.maxRuntimeMinutes is 240');
    run.later(60);
    await look();
    expect([run.sagemaker.stopped, record(run.store, 1).stopReason]).toEqual([[jobName], stopReason]);
    run.sagemaker.update(jobName, { status: 'Stopping' });
    await expect(look()).resolves.toMatchObject({ status: 'running' });
    expect(run.sagemaker.stopped).toEqual([jobName]);
  });

  test('plans the same inputs as a job of their own where the first had no instance', async () => {
    const pipeline = { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlarge', 'ml.c5.xlarge'] } };
    const run = await planned({ pipeline });
    const { jobName } = await start(run);
    const first = record(run.store, 1);
    const failureReason = 'CapacityError: Unable to provision';
    const endedAt = run.later(5);
    run.sagemaker.update(jobName, { status: 'Failed', failureReason, startedAt: NOW, endedAt });
    await expect(looker(run)()).resolves.toEqual({ status: 'no-capacity', attempt: 2 });
    const second = record(run.store, 2);
    expect(second.jobName).not.toBe(jobName);
    expect(second).toEqual({
      ...first,
      attempt: 2,
      jobName: second.jobName,
      engine: { ...first.engine, instanceType: 'ml.c5.xlarge' },
      status: 'Planned',
      createdAt: endedAt.toISOString(),
    });
  });
});

describe('ReconcileOutputs', () => {
  test('folds at once when every input has its output', async () => {
    const run = await planned({ files: FIVE });
    const { answer, jobs } = await drive(run, failing());
    expect(answer).toEqual({ next: 'fold', shards: 1, inputs: 5, missing: 0, isRound: false });
    expect(jobs).toHaveLength(1);
    expect(reconciled(run.store)).toEqual(
      Object.fromEntries(Object.keys(FIVE).map((name) => [name, `${name}.out`])),
    );
    const [shard] = JSON.parse(run.store.text(bucketLayout.shards(PARTS))!) as {
      start: number;
      end: number;
    }[];
    expect(shard).toEqual({
      run: RUN,
      shard: 0,
      start: 0,
      end: Buffer.byteLength(run.store.text(bucketLayout.reconciled(PARTS))!),
      inputs: 5,
    });
  });

  test('sends what is missing once more, a few one at a time, and then leaves it out', async () => {
    const run = await planned({ files: FIVE });
    const { answer, jobs } = await drive(run, failing('c.png', 'e.png'));
    expect(jobs.map(({ inputs }) => inputs)).toEqual([Object.keys(FIVE), ['c.png', 'e.png']]);
    expect(jobs[1]!.maxConcurrentTransforms).toBe(1);
    expect(record(run.store, 2)).toMatchObject({
      attempt: 2,
      kind: 'retry',
      part: 1,
      objects: 2,
      outputsBefore: 3,
      engine: { instanceType: 'ml.m5.xlarge', maxConcurrentTransforms: 1 },
      firstKey: `${PREFIX}c.png`,
      lastKey: `${PREFIX}e.png`,
      sample: [`${PREFIX}c.png`, `${PREFIX}e.png`],
    });
    expect(answer).toMatchObject({ next: 'fold', inputs: 5, missing: 2 });
    expect(reconciled(run.store)).toMatchObject({
      'a.png': 'a.png.out',
      'c.png': 'model-error',
      'e.png': 'model-error',
    });
  });

  test('halves a job that yields nothing', async () => {
    const run = await planned({ files: FIVE });
    const crash: Behavior = (inputs) =>
      inputs.includes('d.png') && inputs.length > 1
        ? { write: [], status: 'Failed' }
        : failing('d.png')(inputs, {} as never);
    const { answer, jobs } = await drive(run, crash);
    expect(jobs.map(({ inputs }) => inputs)).toEqual([
      Object.keys(FIVE),
      ['a.png', 'b.png', 'c.png'],
      ['d.png', 'e.png'],
    ]);
    expect(answer).toMatchObject({ next: 'fold', missing: 2 });
  });

  test('sends the other half where the first yields nothing', async () => {
    const run = await planned({ files: FIVE });
    const crash: Behavior = (inputs, spec) =>
      inputs.includes('a.png') ? { write: [], status: 'Failed' } : failing()(inputs, spec);
    const { answer, jobs } = await drive(run, crash);
    expect(jobs.slice(0, 3).map(({ inputs }) => inputs)).toEqual([
      Object.keys(FIVE),
      ['a.png', 'b.png', 'c.png'],
      ['d.png', 'e.png'],
    ]);
    expect(answer).toMatchObject({ next: 'fold', missing: 3 });
  });

  test('goes on to the next job of the plan where nothing is left of the one before', async () => {
    const small = Array.from({ length: 150 }, (_, index) => `${String(index).padStart(3, '0')}.png`);
    const files = Object.fromEntries(small.map((name) => [name, 900_000]));
    const run = await planned({ files: { ...files, 'large.png': 40_000_000 } });
    const none: Behavior = (inputs, spec) =>
      inputs.length === 150 ? { write: [], status: 'Failed' } : failing()(inputs, spec);
    const { answer, jobs } = await drive(run, none, (ended) => {
      if (ended === 1) for (const name of small) run.store.remove(PREFIX + name);
    });
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([150, 1]);
    expect(answer).toMatchObject({ next: 'fold', inputs: 151, missing: 150 });
  });

  test('ends as NothingPredicted when both halves yield nothing', async () => {
    const run = await planned({ files: FIVE });
    const nothing: Behavior = () => ({
      write: [],
      status: 'Failed',
      failureReason: 'AlgorithmError: no ping',
    });
    await expect(drive(run, nothing)).rejects.toMatchObject({
      name: 'NothingPredicted',
      message: expect.stringContaining('AlgorithmError: no ping'),
    });
    expect(run.sagemaker.jobs.size).toBe(3);
  });

  test('sends the only input once more where SageMaker itself has failed, and not where the model has', async () => {
    const failed = (failureReason: string, times: number): Behavior => {
      let left = times;
      return (inputs, spec) =>
        left-- > 0 ? { write: [], status: 'Failed', failureReason } : failing()(inputs, spec);
    };
    const internal = 'InternalServerError: We encountered an internal error. Please try again.';
    const alone = () => planned({ files: { 'a.png': 1 } });
    const { answer, jobs } = await drive(await alone(), failed(internal, 1));
    expect(jobs.map(({ inputs }) => inputs)).toEqual([['a.png'], ['a.png']]);
    expect(answer).toMatchObject({ next: 'fold', missing: 0 });
    for (const [reason, jobsOfRun] of [
      [internal, 2],
      ['AlgorithmError: no ping', 1],
    ] as const) {
      const run = await alone();
      await expect(drive(run, failed(reason, 9))).rejects.toMatchObject({ name: 'NothingPredicted' });
      expect(run.sagemaker.jobs.size).toBe(jobsOfRun);
    }
  });

  const NOTHING: Behavior = () => ({ write: [], status: 'Failed' });
  /** Logs in which every job says the same of each of the five inputs, beside what its container wrote. */
  const logging = (say: (object: string) => readonly string[], container: readonly string[] = []) => {
    const lines = Object.keys(FIVE).flatMap((name) => say(`bucket/${PREFIX}${name}`));
    const streams = { 'i-1/data-log': lines.map((line) => `t:[sagemaker logs]: ${line}`), 'i-1': container };
    return memoryEngineLogs(new Proxy({}, { get: () => streams }));
  };

  test.each([
    [
      'refuses each with the same 4xx',
      logging((object) => [
        `${object}: ClientError: 415`,
        `${object}: Message:`,
        `${object}: Unsupported Media Type`,
      ]),
      'each input was refused alike (the container answered 415: Unsupported Media Type), and would be again in a further job',
    ],
    [
      'refuses each with a 4xx of its own',
      logging((object) => [`${object}: ClientError: ${object.endsWith('a.png') ? 400 : 415}`]),
      'each input was refused (the first: the container answered 400), and would be again in a further job',
    ],
    [
      'is too slow for each',
      logging((object) => [
        `${object}: Model server did not respond to /invocations request within 600 seconds`,
      ]),
      'the model answered no input within 600 s, the value of transform.invocationsTimeoutInSeconds, and each try is ' +
        'billed: raise it (AWS allows up to 3600)',
    ],
    [
      'has its workers killed for being slow',
      logging(
        (object) => [`${object}: Bad HTTP status received from algorithm: 502`],
        ['[CRITICAL] WORKER TIMEOUT (pid:12)'],
      ),
      'the model answered no input within 600 s',
    ],
  ])('pays for no further job where the container %s', async (_what, logs, reason) => {
    const run = await planned({ files: FIVE });
    await expect(drive({ ...run, logs }, NOTHING)).rejects.toMatchObject({
      name: 'NothingPredicted',
      message: expect.stringContaining(reason),
    });
    expect(run.sagemaker.jobs.size).toBe(1);
  });

  test.each([
    ['a crash', logging((object) => [`${object}: Bad HTTP status received from algorithm: 502`])],
    ['too many requests', logging((object) => [`${object}: ClientError: 429`])],
    [
      'a few inputs only',
      logging((object) => (object.endsWith('a.png') ? [`${object}: ClientError: 415`] : [])),
    ],
  ])('still halves a job after %s', async (_what, logs) => {
    const run = await planned({ files: FIVE });
    await expect(drive({ ...run, logs }, NOTHING)).rejects.toMatchObject({ name: 'NothingPredicted' });
    expect(run.sagemaker.jobs.size).toBe(3);
  });

  test('sends the other half where the first is refused alike', async () => {
    const run = await planned({ files: FIVE });
    const refused = (names: readonly string[]) =>
      names.map((name) => `t:[sagemaker logs]: bucket/${PREFIX}${name}: ClientError: 415`);
    const crash = `t:[sagemaker logs]: bucket/${PREFIX}d.png: Bad HTTP status received from algorithm: 502`;
    const jobs = new Set<string | symbol>();
    const said = (job: string | symbol) =>
      jobs.add(job).size === 1
        ? [...refused(['a.png', 'b.png', 'c.png', 'e.png']), crash]
        : refused(['a.png', 'b.png', 'c.png']);
    const logs = memoryEngineLogs(new Proxy({}, { get: (_, job) => ({ 'i-1/data-log': said(job) }) }));
    const behave: Behavior = (inputs, spec) =>
      inputs.includes('a.png') ? { write: [], status: 'Failed' } : failing()(inputs, spec);
    const driven = await drive({ ...run, logs }, behave);
    expect(driven.jobs.slice(0, 3).map(({ inputs }) => inputs.length)).toEqual([5, 3, 2]);
    expect(driven.answer).toMatchObject({ next: 'fold', missing: 3 });
  });

  test('sends what the jobs before have missed where an input with a job of its own is refused', async () => {
    const small = Array.from({ length: 150 }, (_, index) => `${String(index).padStart(3, '0')}.png`);
    const files = Object.fromEntries(small.map((name) => [name, 900_000]));
    const run = await planned({ files: { ...files, 'large.png': 40_000_000 } });
    const refused = `t:[sagemaker logs]: bucket/${PREFIX}large.png: ClientError: 413`;
    const logs = memoryEngineLogs(new Proxy({}, { get: () => ({ 'i-1/data-log': [refused] }) }));
    const behave: Behavior = (inputs, spec) =>
      failing('large.png', ...(inputs.length === 150 ? ['007.png'] : []))(inputs, spec);
    const { answer, jobs } = await drive({ ...run, logs }, behave);
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([150, 1, 2]);
    expect(answer).toMatchObject({ next: 'fold', missing: 1 });
  });

  test('starts no job for a half of which nothing is left', async () => {
    const run = await planned({ files: FIVE });
    const nothing: Behavior = () => ({ write: [], status: 'Failed' });
    const driven = drive(run, nothing, (ended) => {
      if (ended === 2) for (const name of ['d.png', 'e.png']) run.store.remove(PREFIX + name);
    });
    await expect(driven).rejects.toMatchObject({ name: 'NothingPredicted' });
    expect(run.sagemaker.jobs.size).toBe(2);
  });

  test('moves to the next instance type where AWS has no capacity', async () => {
    const pipeline = { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlarge', 'ml.c5.xlarge'] } };
    const run = await planned({ files: FIVE, pipeline });
    const none: Behavior = (inputs, { instanceType }) =>
      instanceType === 'ml.m5.xlarge'
        ? { write: [], status: 'Failed', failureReason: 'CapacityError: Unable to provision' }
        : failing('b.png')(inputs, {} as never);
    const { jobs } = await drive(run, none);
    expect(jobs.map(({ instanceType }) => instanceType)).toEqual([
      'ml.m5.xlarge',
      'ml.c5.xlarge',
      'ml.c5.xlarge',
    ]);
    expect(record(run.store, 1)).toMatchObject({ capacity: true, costUsd: 0 });
  });

  test('ends as InstanceCapacity where no type is left', async () => {
    const run = await planned();
    const none: Behavior = () => ({
      write: [],
      status: 'Failed',
      failureReason: 'CapacityError: Unable to provision',
    });
    await expect(drive(run, none)).rejects.toMatchObject({ name: 'InstanceCapacity' });
  });

  const gone = 'no instance was available of ml.m5.xlarge';
  const detailOf = (run: Awaited<ReturnType<typeof planned>>) =>
    run.store.text(bucketLayout.reconciled(PARTS));

  test('scores what there is where a later job is given no instance', async () => {
    const run = await planned({ files: FIVE });
    const once: Behavior = (inputs, spec) =>
      inputs.length === 5
        ? failing('b.png')(inputs, spec)
        : { write: [], status: 'Failed', failureReason: 'CapacityError: Unable to provision' };
    const { answer, jobs } = await drive(run, once);
    expect(jobs).toHaveLength(2);
    expect(answer).toMatchObject({ next: 'fold', inputs: 5, missing: 1 });
    expect(detailOf(run)).toContain(gone);
    const check = { run: PARTS, attempt: 2, poll: 0 };
    expect(checkTransform.output.parse(await checkTransform(check, run))).toEqual({
      status: 'ended',
      jobStatus: 'Failed',
    });
  });

  test('cuts what is compared into shards of as many inputs as limits.inputsPerShard says', async () => {
    const names = Array.from({ length: 250 }, (_, index) => [`${index}.png`, 1] as const);
    const limits = { inputsPerShard: 100 };
    const run = await planned({ files: Object.fromEntries(names), pipeline: { ...PIPELINE, limits } });
    expect((await drive(run, failing())).answer).toMatchObject({ next: 'fold', shards: 3, inputs: 250 });
  });

  test.each([
    ['one piece', {}],
    ['slices', { chunkEntries: 1, sliceBytes: 1 }],
  ])('scores what there is, compared in %s, where every quota has become too small', async (_, settings) => {
    const run = await planned({ files: FIVE });
    const { jobName } = await start(run);
    for (const name of ['a.png', 'c.png'])
      run.store.put(`${bucketLayout.predictions(PARTS)}${name}.out`, '{}');
    run.sagemaker.update(jobName, { status: 'Failed', startedAt: NOW, endedAt: NOW });
    await checkTransform({ run: PARTS, attempt: 1, poll: 0 }, run);
    const services = { ...run, newId: () => crypto.randomUUID(), settings, logs: memoryEngineLogs() };
    const reconcile = { run: PARTS, attempt: 1 };
    await expect(reconcileOutputs(reconcile, services)).resolves.toMatchObject({ attempt: 2 });
    const message =
      'is 0 Instances, with current utilization of 0 Instances and a request delta of 1 Instances.';
    run.sagemaker.failNext('startTransformJob', { name: 'ResourceLimitExceeded', message });
    const given = await ask(run, { attempt: 2, poll: 0 });
    expect(given).toEqual({ status: 'ended', attempt: 1 });
    const answer = await reconcileOutputs(reconcile, services);
    expect(answer).toMatchObject({ next: 'fold', inputs: 5, missing: 3 });
    expect(detailOf(run)).toContain(gone);
  });

  test('neither retries nor scores files that changed meanwhile', async () => {
    const run = await planned({ files: FIVE });
    const { answer, jobs } = await drive(run, failing('b.png'), () => {
      run.store.put(`${PREFIX}a.png`, 'new body');
      run.store.remove(`${PREFIX}b.png`);
    });
    expect(jobs).toHaveLength(1);
    expect(reconciled(run.store)).toMatchObject({
      'a.png': 'superseded',
      'b.png': 'deleted',
      'c.png': 'c.png.out',
    });
    expect(answer).toMatchObject({ missing: 2 });
  });

  test.each([
    ['deleted', (run: Awaited<ReturnType<typeof planned>>, name: string) => run.store.remove(PREFIX + name)],
    [
      'overwritten',
      (run: Awaited<ReturnType<typeof planned>>, name: string) => run.store.put(PREFIX + name, 'new body'),
    ],
  ])('says so where every file was %s meanwhile, and blames no job', async (_, act) => {
    const run = await planned({ files: FIVE });
    const driven = drive(run, failing(), () => Object.keys(FIVE).forEach((name) => act(run, name)));
    await expect(driven).rejects.toMatchObject({
      name: 'NothingPredicted',
      message: 'none of 5 inputs can be scored: 5 were overwritten or deleted while the run went on',
    });
  });

  test('keeps what was predicted of files that are uploaded once more as they were', async () => {
    const time = { now: NOW };
    const run = await planned({ files: FIVE, store: { clock: () => time.now } });
    const { answer } = await drive(run, failing(), () => {
      time.now = run.later(1);
      for (const [name, size] of Object.entries(FIVE))
        run.store.put(PREFIX + name, size === 0 ? '' : `x${name}`);
    });
    expect(answer).toMatchObject({ next: 'fold', missing: 0 });
  });

  test('scores nothing when an output belongs to no input', async () => {
    const run = await planned({ files: FIVE });
    const elsewhere: Behavior = (inputs) => ({ write: [...inputs, 'monday/a.png'], status: 'Completed' });
    await expect(drive(run, elsewhere)).rejects.toMatchObject({
      name: 'OutputLayoutUnexpected',
      message: expect.stringContaining('monday/a.png.out'),
    });
    expect(run.store.text(bucketLayout.reconciled(PARTS))).toBeUndefined();
  });

  test('sends again what a job of several called completed and did not write', async () => {
    const small = Array.from({ length: 300 }, (_, index) => [`s${index}.png`, 1] as const);
    const run = await planned({
      pipeline: { ...PIPELINE, transform: { bundle: 'never' } },
      files: Object.fromEntries([...small, ['x1.png', 50_000_000], ['x2.png', 50_000_000]]),
    });
    let jobs = 0;
    const forgetful: Behavior = (inputs) => ({ write: jobs++ === 0 ? [] : inputs, status: 'Completed' });
    const driven = await drive(run, forgetful);
    expect(driven.jobs.map(({ inputs }) => inputs.length)).toEqual([300, 2, 300]);
    expect(driven.answer).toMatchObject({ missing: 0 });
  });

  test('names files that were never sent', async () => {
    const run = await planned({ files: { ...FIVE, 'empty.png': 0, 'huge.png': 200_000_000 } });
    await drive(run, failing());
    expect(reconciled(run.store)).toMatchObject({ 'empty.png': 'empty', 'huge.png': 'too-large' });
  });

  test('starts no further job past a limit, and says so of every input that was left', async () => {
    const run = await planned({ files: FIVE });
    const { jobs } = await drive(run, failing('c.png'), () => run.later(241));
    expect(jobs).toHaveLength(1);
    expect(run.store.text(bucketLayout.reconciled(PARTS))).toContain('limits.maxRuntimeMinutes is 240');
  });

  test('runs the jobs of a plan one after the other and retries what is missing at the end', async () => {
    const small = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`${String(index).padStart(3, '0')}.png`, 900_000]),
    );
    const run = await planned({ files: { ...small, 'large.png': 40_000_000 } });
    const { answer, jobs } = await drive(run, failing('007.png', 'large.png'));
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([150, 1, 2]);
    expect(answer).toMatchObject({ inputs: 151, missing: 2 });
  });

  test('a comparison whose time is up goes on behind its last slice and finds the same', async () => {
    const names = Array.from(
      { length: 60 },
      (_, index) => [`${index % 7}/${index}${index % 3 ? '-x' : ''}`, 1] as const,
    );
    const files = Object.fromEntries([...names, ['3', 1], ['3/9', 1], ['5-', 1]]);
    const poison = failing('3/24', '5/40-x');
    const whole = await planned({ files });
    const expected = await drive(whole, poison);
    const run = await planned({ files });
    const settings = { budgetMs: 0, chunkEntries: 4, sliceBytes: 1_500 };
    const { answer, jobs, resumed } = await drive({ ...run, settings }, poison);
    expect(resumed).toBeGreaterThan(10);
    expect({ answer, jobs }).toEqual({ answer: expected.answer, jobs: expected.jobs });
    for (const key of [
      bucketLayout.reconciled(PARTS),
      bucketLayout.shards(PARTS),
      bucketLayout.jobInput(PARTS, 2),
    ])
      expect(run.store.text(key)).toEqual(whole.store.text(key));
  });

  test('is compared for ten minutes at a time', async () => {
    const run = await planned({ files: FIVE });
    await start(run);
    run.store.put(`${bucketLayout.predictions(PARTS)}a.png.out`, '{}');
    let slices = 0;
    const newId = () => {
      run.later(5);
      return `slice${++slices}`;
    };
    const services = {
      ...run,
      newId,
      logs: memoryEngineLogs(),
      settings: { chunkEntries: 1, sliceBytes: 1 },
    };
    const asked = { run: PARTS, attempt: 1 };
    await expect(reconcileOutputs(asked, services)).resolves.toEqual({ next: 'reconcile' });
    expect(slices).toBe(2);
    await expect(reconcileOutputs(asked, services)).resolves.toMatchObject({ next: 'reconcile' });
    await expect(reconcileOutputs(asked, services)).resolves.toMatchObject({ next: 'transform', attempt: 2 });
    expect(slices).toBe(5);
  });

  test('is compared to its end, too, where a limit lets no further job start', async () => {
    const run = await planned({ files: FIVE });
    await start(run);
    const old = record(run.store, 1);
    run.store.put(bucketLayout.job(PARTS, 1), JSON.stringify({ ...old, stopReason: 'its time was up' }));
    run.store.put(`${bucketLayout.predictions(PARTS)}a.png.out`, '{}');
    const settings = { budgetMs: 0, chunkEntries: 1, sliceBytes: 1 };
    const services = { ...run, newId: () => crypto.randomUUID(), settings, logs: memoryEngineLogs() };
    const asked = { run: PARTS, attempt: 1 };
    const answers = [];
    while (answers.length < 8 && answers.at(-1)?.next !== 'fold')
      answers.push(await reconcileOutputs(asked, services));
    expect(answers.at(-1)).toMatchObject({ next: 'fold', inputs: 5, missing: 4 });
    expect(answers.length).toBeGreaterThan(3);
  });

  test('between two jobs of a plan one look at the outputs is enough', async () => {
    const small = Array.from({ length: 300 }, (_, index) => [`s${index}.png`, 1] as const);
    const run = await planned({
      pipeline: { ...PIPELINE, transform: { bundle: 'never' } },
      files: Object.fromEntries([...small, ['x1.png', 50_000_000], ['x2.png', 50_000_000]]),
    });
    const lists = () => run.store.requests.filter(({ operation }) => operation === 'LIST').length;
    let before = 0;
    const looks: number[] = [];
    const poison = failing('s7.png');
    const { jobs } = await drive(
      run,
      (inputs, spec) => {
        looks.push(lists() - before);
        return poison(inputs, spec);
      },
      () => (before = lists()),
    );
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([300, 2, 1]);
    expect(looks[1]).toBe(1);
  });

  test('a part that was halved leaves what is missing to the retry after the last part', async () => {
    const small = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`${String(index).padStart(3, '0')}.png`, 900_000]),
    );
    const run = await planned({ files: { ...small, 'large.png': 40_000_000 } });
    const crash: Behavior = (inputs, spec) =>
      inputs.length === 150 ? { write: [], status: 'Failed' } : failing('140.png')(inputs, spec);
    const { jobs, answer } = await drive(run, crash);
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([150, 75, 1, 75]);
    expect(answer).toMatchObject({ next: 'fold', missing: 1 });
  });
});

describe('the pilot', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${100 + index}.png`);
  const pilot = (count = 10, limits: Record<string, unknown> = {}, pipeline: Record<string, unknown> = {}) =>
    planned({
      files: Object.fromEntries(names(count).map((name) => [name, 1])),
      pipeline: { ...PIPELINE, ...pipeline, limits: { pilot: 3, ...limits } },
    });
  const twoTypes = { transform: { instanceTypes: ['ml.m5.xlarge', 'ml.c5.xlarge'] } };
  const answering =
    (body: string): Behavior =>
    (inputs) => ({ write: inputs, status: 'Completed', body });

  test('goes first, and no input is sent twice or left out', async () => {
    const run = await pilot();
    const { answer, jobs } = await drive(run, failing());
    expect(jobs.map(({ inputs }) => inputs)).toEqual([
      ['100.png', '103.png', '106.png'],
      names(10).filter((name) => !['100.png', '103.png', '106.png'].includes(name)),
    ]);
    expect(answer).toMatchObject({ next: 'fold', inputs: 10, missing: 0 });
    expect(Object.values(reconciled(run.store))).toEqual(names(10).map((name) => `${name}.out`));
  });

  test('a speed that the quote did not expect corrects it, for all to read', async () => {
    const run = await pilot(10_000);
    const { plan: before } = run;
    // Three answers within four minutes: one in two minutes, where eighty a second were expected.
    const slow: Behavior = (inputs, spec) => {
      if (inputs.length > 3) return failing()(inputs, spec);
      for (const [at, name] of inputs.entries())
        run.store.put(
          `${bucketLayout.predictions(PARTS)}${name}.out`,
          '{"predictions": [[0.25, 0.75]]}',
          new Date(NOW.getTime() + at * 120_000),
        );
      return { write: [], status: 'Completed' };
    };
    await drive(run, slow);
    const { jobs, cost, notes } = await planJson(PARTS).require(run.store);
    expect(jobs[0]!.quotedSeconds).toBe(before.jobs[0]!.quotedSeconds);
    expect(jobs[1]!.quotedSeconds).toBe(Math.ceil(60 + 9_997 / (2 / 239)));
    expect(cost.quoteUsd).toBeGreaterThan(100 * before.cost.quoteUsd!);
    expect(notes.at(-1)).toMatch(
      /^the pilot answered at most 0\.00837 inputs a second, and the quote expected 80: the quote is corrected from .* limits\.maxCostUsd \(\$20\.00\) is reached$/,
    );
  });

  test('a pilot within what the quote expected changes nothing', async () => {
    const run = await pilot();
    const before = run.store.text(bucketLayout.plan(PARTS));
    await drive(run, failing());
    expect(run.store.text(bucketLayout.plan(PARTS))).toBe(before);
  });

  test('what it has not answered goes again at the end, with all else that is missing', async () => {
    const { answer, jobs } = await drive(await pilot(), failing('103.png', '109.png'));
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([3, 7, 2]);
    expect(jobs[2]!.inputs).toEqual(['103.png', '109.png']);
    expect(answer).toMatchObject({ missing: 2 });
  });

  test.each([32_000_000, 32_000_001])('an answer of %i bytes', async (bytes) => {
    const run = await pilot();
    const large = (): void => {
      for (const name of ['100.png', '103.png', '106.png'])
        run.store.put(`${bucketLayout.predictions(PARTS)}${name}.out`, new Uint8Array(bytes));
    };
    const driven = drive(run, failing(), (ended) => (ended === 1 ? large() : undefined));
    // Zeros are no answer; where they are too long to be read, the pilot does not judge them.
    if (bytes > 32_000_000) await expect(driven).resolves.toMatchObject({ answer: { next: 'fold' } });
    else await expect(driven).rejects.toMatchObject({ name: 'PilotFailed' });
  });

  test('one answer that can be read is enough', async () => {
    const run = await pilot();
    const { jobs } = await drive(run, failing(), (ended) => {
      if (ended !== 1) return;
      const answers = bucketLayout.predictions(PARTS);
      for (const name of ['100.png', '103.png']) run.store.put(`${answers}${name}.out`, '{}');
    });
    expect(jobs).toHaveLength(2);
  });

  test('one answer that can be read is enough beside one that is too long to be read', async () => {
    const run = await pilot();
    const { jobs } = await drive(run, failing(), (ended) => {
      if (ended !== 1) return;
      const answers = bucketLayout.predictions(PARTS);
      run.store.put(`${answers}100.png.out`, new Uint8Array(32_000_001));
      run.store.put(`${answers}103.png.out`, '{}');
    });
    expect(jobs).toHaveLength(2);
  });

  test.each([
    [
      'another number of classes',
      '{"predictions": [[0.1, 0.2, 0.7]]}',
      /^pipeline\.json: labels\.classes and labels\.classOffset together expect 2 scores a record, the model's output has 3/,
    ],
    [
      'answers that are no classification',
      '{"boxes": [1, 2], "count": 3}',
      /^pipeline\.json: transform\.accept is "application\/json", and none of the pilot's 3 answers is a classification: .*100\.png: the output has the fields boxes, count/,
    ],
    ['HTML', '<html>404</html>', /transform\.accept is .*not JSON/],
    [
      'classes that are not listed',
      '{"label": "triangle"}',
      /^pipeline\.json: labels\.classes lists 2 classes, and none of the pilot's 3 answers names one of them, but "triangle" about .*100\.png/,
    ],
  ])('with %s ends the run before the rest is sent', async (_name, body, reason) => {
    const run = await pilot();
    const error: Error = await drive(run, answering(body)).then(
      () => new Error('went on'),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ name: 'PilotFailed', message: expect.stringMatching(reason) });
    expect(error.message).toMatch(/The other 7 inputs were not sent \(limits\.pilot\)$/);
    expect([...run.sagemaker.jobs.keys()]).toHaveLength(1);
  });

  test('without any answer ends the run, with what SageMaker says', async () => {
    const run = await pilot();
    const refused: Behavior = () => ({
      write: [],
      status: 'Failed',
      failureReason: 'ClientError: See job logs for more information',
    });
    await expect(drive(run, refused)).rejects.toMatchObject({
      name: 'PilotFailed',
      message: expect.stringMatching(
        /^pipeline\.json: transform\.contentType is "application\/x-image", and none of the pilot's 3 inputs got an answer: transform job \S+ ended Failed with "ClientError/,
      ),
    });
    expect([...run.sagemaker.jobs.keys()]).toHaveLength(1);
  });

  test('is repeated once where SageMaker itself has failed', async () => {
    const run = await pilot();
    let failures = 1;
    const once: Behavior = (inputs, spec) =>
      failures-- > 0
        ? {
            write: [],
            status: 'Failed',
            failureReason: 'InternalServerError: We encountered an internal error.',
          }
        : failing()(inputs, spec);
    const { jobs } = await drive(run, once);
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([3, 3, 7]);
    failures = Infinity;
    const other = await pilot();
    await expect(drive(other, once)).rejects.toMatchObject({
      name: 'PilotFailed',
      message: expect.stringContaining('no output after 2 jobs'),
    });
    expect([...other.sagemaker.jobs.keys()]).toHaveLength(2);
  });

  test('is repeated all the same where it had waited for an instance of another type first', async () => {
    const run = await pilot(10, {}, twoTypes);
    const reasons = ['CapacityError: Unable to provision', 'InternalServerError: We encountered an error.'];
    const { jobs } = await drive(run, (inputs, spec) => {
      const failureReason = reasons.shift();
      if (failureReason === undefined) return failing()(inputs, spec);
      return { write: [], status: 'Failed', failureReason };
    });
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([3, 3, 3, 7]);
  });

  test('is judged by its answers though SageMaker itself has failed after them', async () => {
    const failed: Behavior = (inputs) => ({
      write: inputs,
      status: 'Failed',
      failureReason: 'InternalServerError: We encountered an internal error.',
    });
    const { jobs } = await drive(await pilot(), failed);
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([3, 7]);
  });

  test('is not judged where S3 does not give its answers: the step is repeated', async () => {
    const run = await pilot();
    run.store.readBytes = () =>
      Promise.reject(Object.assign(new Error('reduce your rate'), { name: 'SlowDown' }));
    await expect(drive(run, failing())).rejects.toMatchObject({ name: 'SlowDown' });
  });

  test('takes the next instance type where AWS has no capacity', async () => {
    const run = await pilot(10, {}, twoTypes);
    const { jobs } = await drive(run, (inputs, spec) =>
      spec.instanceType === 'ml.m5.xlarge'
        ? { write: [], status: 'Failed', failureReason: 'CapacityError: Unable to provision' }
        : failing()(inputs, spec),
    );
    expect(jobs.map(({ inputs, instanceType }) => [inputs.length, instanceType])).toEqual([
      [3, 'ml.m5.xlarge'],
      [3, 'ml.c5.xlarge'],
      [7, 'ml.c5.xlarge'],
    ]);
  });

  test('that reaches a limit leaves its own predictions to be counted', async () => {
    const run = await pilot(10, { maxRuntimeMinutes: 30 });
    const { answer, jobs } = await drive(run, failing(), () => run.later(40));
    expect(jobs).toHaveLength(1);
    expect(answer).toMatchObject({ next: 'fold', inputs: 10, missing: 7 });
    expect(reconciled(run.store)).toMatchObject({ '103.png': '103.png.out', '105.png': 'not-attempted' });
  });

  test('a job after it that yields nothing is not taken for one that does because of its outputs', async () => {
    const run = await pilot();
    const crash: Behavior = (inputs, spec) =>
      inputs.length === 7 ? { write: [], status: 'Failed' } : failing()(inputs, spec);
    const { jobs, answer } = await drive(run, crash);
    expect(jobs.map(({ inputs }) => inputs.length)).toEqual([3, 7, 4, 3]);
    expect(answer).toMatchObject({ missing: 0 });
  });
});
