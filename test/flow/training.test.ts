import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython } from '@inferdrop/model-container/internal/find-python';
import { cancel } from '../../src/app/run/cancel.ts';
import { rerun } from '../../src/app/run/rerun.ts';
import { trainingJobs } from '../../src/aws/sagemaker/training-jobs.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { costUsd } from '../../src/price/quote.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { evaluationDrop } from '../../src/run/run-id.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

const MODEL = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist', 'model.tar.gz');

/** A training that needs Python alone: it unpacks the model that its drop has, or does what the file `mode` says. */
const SCRIPT = `
import os, signal, tarfile, time

data = os.environ['SM_CHANNEL_TRAINING']
mode = os.path.join(data, 'mode')
mode = open(mode).read() if os.path.exists(mode) else 'train'
checkpoint = '/opt/ml/checkpoints/epoch'
for step in range(3):
    print('step=%d accuracy=%.2f' % (step, 0.5 + step / 10), flush=True)
if mode == 'nan':
    print('step=3 accuracy=nan', flush=True)
if mode == 'raise':
    raise ValueError('the labels are missing')
if mode == 'die' and os.environ['SM_CURRENT_HOST'] == 'algo-2':
    os.kill(os.getpid(), signal.SIGKILL)
if mode == 'diverge':
    with tarfile.open(os.path.join(data, 'model.tar.gz')) as archive:
        archive.extractall(os.environ['SM_MODEL_DIR'])
    # A model that the pipeline hasn't got yet: one of the same files would be kept.
    with open(os.path.join(os.environ['SM_MODEL_DIR'], 'trained.txt'), 'w') as note:
        note.write('by this script')
    for step in range(3):
        print('accuracy=nan', flush=True)
while mode in ('die', 'hang', 'diverge'):
    time.sleep(0.1)
if mode == 'wait' and not os.path.exists(checkpoint):
    open(checkpoint, 'w').write('1')
    while True:
        time.sleep(0.1)
if os.path.exists(checkpoint):
    print('goes on after epoch ' + open(checkpoint).read(), flush=True)
if mode != 'nothing':
    with tarfile.open(os.path.join(data, 'model.tar.gz')) as archive:
        archive.extractall(os.environ['SM_MODEL_DIR'])
    # A model that the pipeline hasn't got yet: one of the same files would be kept.
    with open(os.path.join(os.environ['SM_MODEL_DIR'], 'trained.txt'), 'w') as note:
        note.write('by this script')
`;

/** Absolute path of the interpreter; undefined where this machine has none. */
const python = await findPython().then(
  ({ command }) =>
    execFileSync(command, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim(),
  () => undefined,
);

const OPERATOR = { error: 'Operator', cause: 'by mistake' };

/** Faults of a job by a part of its name, which has that of its pipeline; each goes wrong once. */
const once = new Map<string, 'capacity'>();
/** Pipelines whose transform jobs get no answer until they are stopped. */
const silent = new Set<string>();

let laptop: Laptop;
let model: Buffer;

// Each waits for most of its time, for logs and for states that look again: side by side they share it.
describe.skipIf(python === undefined).concurrent('a training on the laptop stack (needs python3)', () => {
  beforeAll(async () => {
    model = await readFile(MODEL);
    laptop = await startLaptop(
      {
        training(jobName) {
          for (const [part, fault] of once)
            if (jobName.includes(part)) {
              once.delete(part);
              return fault;
            }
          return undefined;
        },
        object: (key) => (silent.has(key.split('/')[1] ?? '') ? 'hang' : undefined),
      },
      undefined,
      {
        trainingPythons: { tensorflow: python ?? '' },
        limits: { trainingInstances: { 'ml.c4.xlarge': 1 } },
      },
    );
  });
  afterAll(() => laptop.close());

  /** A pipeline with a model that serves already, and training. */
  async function givePipeline(
    name: string,
    training: object = {},
    others: object = {},
    script = SCRIPT,
  ): Promise<void> {
    await laptop.givePipeline(name, (config) => {
      Object.assign(config, others);
      config.training = {
        framework: 'tensorflow',
        version: '2.19.0',
        entryPoint: 'train.py',
        instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'] },
        metrics: { accuracy: 'accuracy=([0-9.]+)' },
        maxRunMinutes: 10,
        ...training,
      };
    });
    await laptop.application.store.write(bucketLayout.pipelineFile(name, 'code/train.py'), script);
  }

  /** Drops the files of a training, which then needs no more quiet. */
  async function drop(name: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
    const folder = bucketLayout.dropFolder({ kind: 'training', pipeline: name, drop: 'd' });
    for (const [file, body] of Object.entries({ 'model.tar.gz': model, ...files, _READY: '' }))
      await laptop.application.store.write(folder + file, body);
  }

  const readJson = async (key: string): Promise<any> => {
    const text = await laptop.application.store.readText(key);
    return text === undefined ? undefined : JSON.parse(text);
  };

  /** Waits for the end of a training; what it left. */
  async function outcome(name: string, generation = '000001') {
    const run = `training/${name}/d/${generation}`;
    const parts = toRun(run);
    const execution = await laptop.until(async () => {
      const found = await laptop.application.executions('training').describe(laptop.executionArn(run));
      return found === undefined || found.status === 'RUNNING' ? undefined : found;
    });
    await laptop.until(() => laptop.application.store.describe(bucketLayout.ended(parts)));
    return {
      run,
      parts,
      execution,
      report: await readJson(bucketLayout.reportJson(parts)),
      message: await readJson(bucketLayout.message(parts)),
      job: async (attempt = 1) => readJson(bucketLayout.job(parts, attempt)),
    };
  }

  /** The status of a job once it is at rest. */
  const restOf = (jobName: string) =>
    laptop.until(async () => {
      const job = await trainingJobs().describe(jobName);
      return job?.status === 'InProgress' || job?.status === 'Stopping' ? undefined : job?.status;
    });

  const untilEntered = (run: string, state: string) =>
    laptop.until(async () => {
      const executions = laptop.application.executions('training');
      const arn = laptop.executionArn(run);
      if ((await executions.describe(arn)) === undefined) return undefined;
      for await (const event of executions.history(arn)) if (event.state === state) return true;
      return undefined;
    });

  it('trains, judges the model, promotes it, says so once, and has it deployed', async () => {
    await givePipeline('whole');
    await laptop.upload('whole', evaluationDrop('test'), await laptop.images(40));
    const { store } = laptop.application;
    const before = await store.describe(bucketLayout.pipelineModel('whole'));
    const after = { evaluate: 'test', promote: 'when-gate-passes' };
    const endpoint = { deploy: 'when-gate-passes', instanceType: 'ml.m5.large' };
    await givePipeline('whole', { after }, { endpoint, gate: { minAccuracy: 0.7, maxAccuracyDrop: 0.3 } });

    await drop('whole', {});
    const { execution, report, message, parts, job } = await outcome('whole');

    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(report).toMatchObject({ status: 'completed' });
    expect(message.attributes).toMatchObject({ pipeline: 'whole', status: 'completed' });
    const registered = await readJson(bucketLayout.registered(parts));
    expect(await store.describe(bucketLayout.model(registered.sha256))).toBeDefined();
    const evaluation = await readJson(bucketLayout.evaluation(parts));
    expect(evaluation.candidateRun.run).toMatch(/^whole\/@test\/000001r\d$/);
    expect(await readJson(bucketLayout.promotion(parts))).toMatchObject({ promotion: 'promoted' });
    expect((await store.describe(bucketLayout.pipelineModel('whole')))?.etag).not.toBe(before?.etag);
    expect(await job()).toMatchObject({ status: 'Completed', instanceType: 'ml.m5.xlarge' });
    const metrics = await readJson(bucketLayout.metrics(parts));
    expect(metrics.final).toMatchObject({ accuracy: 0.7 });

    const { live, variants } = await laptop.until(async () => {
      const found = await readJson(bucketLayout.served('whole'));
      return typeof found?.live === 'string' ? found : undefined;
    });
    expect(variants[live].run).toBe(evaluation.candidateRun.run);
  });

  it('no capacity: the next instance type is used', async () => {
    await givePipeline('scarce');
    once.set('-scarce-', 'capacity');
    await drop('scarce', {});
    const { report, job } = await outcome('scarce');
    expect(report).toMatchObject({ status: 'completed' });
    expect(await job(1)).toMatchObject({ instanceType: 'ml.m5.xlarge', capacity: true });
    expect(await job(2)).toMatchObject({ instanceType: 'ml.c5.xlarge', status: 'Completed' });
  });

  it('a quota in use is waited for', async () => {
    const instances = { types: ['ml.c4.xlarge'] };
    const running = 'training/holding/d/000001';
    await givePipeline('holding', { instances });
    await drop('holding', { mode: 'wait' });
    await untilEntered(running, 'WaitForTraining');
    await givePipeline('queued', { instances });
    await drop('queued', {});
    await untilEntered('training/queued/d/000001', 'WaitForQuota');
    await laptop.application.executions('training').stop(laptop.executionArn(running), OPERATOR);
    const { report, job } = await outcome('queued');
    expect(report).toMatchObject({ status: 'completed' });
    expect(await job(1)).toMatchObject({ status: 'Completed' });
  });

  it('a channel without objects is refused before anything is started', async () => {
    await givePipeline('hollow', { channels: { training: '', validation: 'validation/' } });
    await drop('hollow', {});
    const { execution, report, message, parts, job } = await outcome('hollow');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'PlanRefused' });
    expect(report).toMatchObject({ status: 'refused' });
    const { problems } = await readJson(bucketLayout.problems(parts));
    expect(JSON.stringify(problems)).toContain('validation');
    expect(message.body).toContain('validation');
    expect(await job()).toBeUndefined();
  });

  it('an archive without a model is not registered', async () => {
    await givePipeline('barren');
    await drop('barren', { mode: 'nothing' });
    const { execution, report, message, parts } = await outcome('barren');
    expect(execution.status).toBe('FAILED');
    expect(report.status).toBe('failed');
    expect(report.failure.error).toMatch(/^Model(Missing|Unusable)$/);
    expect(message.attributes).toMatchObject({ status: 'failed' });
    expect(await readJson(bucketLayout.registered(parts))).toBeUndefined();
  });

  it('a script that raises: the message says what it said', async () => {
    await givePipeline('raising');
    await drop('raising', { mode: 'raise' });
    const { execution, report, message } = await outcome('raising');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'TrainingFailed' });
    expect(report.failure.cause).toContain('the labels are missing');
    expect(message.body).toContain('the labels are missing');
  });

  it('a source that imports a missing package: the message names it', async () => {
    await givePipeline('importing', {}, {}, 'import no_such_package\n');
    await drop('importing', {});
    const { execution, report, message } = await outcome('importing');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'TrainingFailed' });
    expect(report.failure.cause).toContain("No module named 'no_such_package'");
    expect(message.body).toContain("No module named 'no_such_package'");
  });

  it('a host that dies ends the job, whose other host waits for it; no second job is started', async () => {
    await givePipeline('dying', { instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'], count: 2 } });
    await drop('dying', { mode: 'die' });
    const { execution, report, message, job } = await outcome('dying');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'TrainingFailed' });
    expect(report).toMatchObject({ status: 'failed', jobs: [{ status: 'Failed', instanceCount: 2 }] });
    expect(report.jobs[0].failureReason).toContain('ExitCode -9');
    expect(message.attributes).toMatchObject({ status: 'failed' });
    expect(message.body).toContain('ExitCode -9');
    expect(message.body).toContain('the script was killed by signal 9');
    expect(await job(1)).toMatchObject({ status: 'Failed' });
    expect(await job(2)).toBeUndefined();
  });

  it('a host that hangs is stopped at training.maxRunMinutes', async () => {
    // SageMaker ends the job, or a fifth later CheckTraining does: on a busy machine the one or the other.
    await givePipeline('hanging', { maxRunMinutes: 0.05 });
    await drop('hanging', { mode: 'hang' });
    const { execution, report, message, job } = await outcome('hanging');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'TrainingStopped' });
    const why = /(?:MaxRuntimeExceeded|training\.maxRunMinutes is 0\.05, .*)\. It left no model/;
    expect(report.status).toBe('failed');
    expect(report.jobs).toHaveLength(1);
    expect(report.jobs[0].status).toMatch(/^(?:MaxRuntimeExceeded|Stopped)$/);
    expect(report.failure.cause).toMatch(why);
    expect(message.body).toMatch(why);
    expect(await job(2)).toBeUndefined();
  });

  it('a training that has diverged is stopped and billed until then, and what it had saved is its model', async () => {
    await givePipeline('diverged');
    await drop('diverged', { mode: 'diverge' });
    const { execution, report, message, parts } = await outcome('diverged');
    expect(execution.status).toBe('SUCCEEDED');
    expect(report).toMatchObject({
      status: 'completed',
      jobs: [{ status: 'Stopped' }],
      promotion: { promotion: 'asked' },
    });
    const why =
      /the job was stopped: training\.stop\.nan: accuracy was NaN 3 times in a row\. .*\. The model is what the script had saved by then/;
    expect(report.notes).toContainEqual(expect.stringMatching(why));
    expect(message.body).toMatch(why);
    const [{ billableSeconds, instanceType }] = report.jobs;
    const { cost } = await readJson(bucketLayout.plan(parts));
    expect(report.costUsd).toBe(costUsd(billableSeconds, 1, cost.pricesUsd[instanceType]));
  });

  it('a metric that is not a number stays out of every figure, and is reported', async () => {
    await givePipeline('diverging', { metrics: { accuracy: 'accuracy=([0-9a-z.]+)' } });
    await drop('diverging', { mode: 'nan' });
    const { report, message, parts, job } = await outcome('diverging');
    const final = (await trainingJobs().describe((await job()).jobName))?.finalMetrics;
    expect(final).toEqual([{ name: 'accuracy', value: 0.7 }]);
    const [metric] = report.metrics;
    expect(metric.hosts).toEqual([{ host: 'algo-1', count: 4, values: [0.5, 0.6, 0.7, null] }]);
    expect(metric.final).toBe(0.7);
    const note = 'the last value of the metric accuracy in the log of algo-1 is not a number';
    expect(report.notes).toContainEqual(expect.stringContaining(note));
    expect(message.body).toContain(note);
    expect(await laptop.application.store.readText(bucketLayout.reportHtml(parts))).not.toContain('NaN');
  });

  it('an evaluation set that was changed meanwhile promotes nothing by itself', async () => {
    await givePipeline('shifting');
    const images = await laptop.images(4);
    await laptop.upload('shifting', evaluationDrop('test'), images);
    const { store } = laptop.application;
    const before = await store.describe(bucketLayout.pipelineModel('shifting'));
    const after = { evaluate: 'test', promote: 'when-gate-passes' };
    const gate = { minAccuracy: 0.1, minInputs: 2, confidence: null };
    await givePipeline('shifting', { after }, { endpoint: { deploy: 'when-gate-passes' }, gate });
    await drop('shifting', {});
    await untilEntered('training/shifting/d/000001', 'PackageSource');
    const [first = '', second = ''] = Object.keys(images);
    await laptop.upload('shifting', evaluationDrop('test'), { [first]: images[second] ?? '' });
    await store.delete(bucketLayout.evaluationSet('shifting', 'test') + second);

    const { report, message, parts } = await outcome('shifting');
    const said = 'Of the 4 inputs of the evaluation 1 were overwritten and 1 deleted';
    expect(report.evaluation).toMatchObject({ verdict: 'passed' });
    expect(report.promotion).toMatchObject({ promotion: 'asked', reason: expect.stringContaining(said) });
    expect(report.lineage.deploy).toBe('never');
    expect(message.body).toContain(said);
    expect(await readJson(bucketLayout.promotion(parts))).toMatchObject({ promotion: 'asked' });
    expect((await store.describe(bucketLayout.pipelineModel('shifting')))?.etag).toBe(before?.etag);
  });

  it('canceled while its model is judged, it stops the run that judges', async () => {
    const judging = 'leaving/@test/000001r2';
    await givePipeline('leaving');
    await laptop.upload('leaving', evaluationDrop('test'), await laptop.images(2));
    silent.add('leaving');
    await givePipeline('leaving', { after: { evaluate: 'test' } });
    await drop('leaving', {});
    const { executions, sagemaker } = laptop.application;
    const { jobName } = await laptop.until(() => readJson(bucketLayout.job(toRun(judging), 1)));
    await laptop.until(
      async () => (await sagemaker.describeTransformJob(jobName)) !== undefined || undefined,
    );

    const training = toRun('training/leaving/d/000001');
    await cancel({ run: training, by: 'ann' }, { ...laptop.application, clock: () => new Date() });
    const { report } = await outcome('leaving');
    expect(report).toMatchObject({ status: 'canceled', failure: { error: 'Canceled' } });
    const execution = await laptop.until(async () => {
      const found = await executions('inference').describe(laptop.executionArn(judging));
      return found?.status === 'RUNNING' ? undefined : found;
    });
    expect(execution).toMatchObject({ status: 'ABORTED', error: 'Canceled' });
    expect(execution.cause).toContain('the training of the model that it judged, is over');
    const rest = await laptop.until(async () => {
      const job = await sagemaker.describeTransformJob(jobName);
      return job?.status === 'InProgress' || job?.status === 'Stopping' ? undefined : job?.status;
    });
    expect(rest).toBe('Stopped');
  });

  it('canceled, it stops its job; repeated, it goes on from the checkpoint', async () => {
    const run = 'training/paused/d/000001';
    await givePipeline('paused');
    await drop('paused', { mode: 'wait' });
    const original = toRun(run);
    const { store } = laptop.application;
    await laptop.until(async () => {
      const plan = await readJson(bucketLayout.plan(original)).catch(() => undefined);
      return plan && store.describe(`${bucketLayout.checkpoints(original, plan.id)}epoch`);
    });
    await cancel({ run: original, by: 'ann' }, { ...laptop.application, clock: () => new Date() });
    const { report, message, job } = await outcome('paused');
    expect(report).toMatchObject({ status: 'canceled', failure: { error: 'Canceled' } });
    expect(message.body).toContain('Canceled by ann.');
    expect(await restOf((await job()).jobName)).toBe('Stopped');

    expect(await rerun({ run: original }, laptop.application)).toEqual({
      run: `${run}r2`,
      outcome: 'started',
    });
    const again = await outcome('paused', '000001r2');
    expect(again.report).toMatchObject({ status: 'completed' });
    const metrics = await readJson(bucketLayout.metrics(again.parts));
    expect(JSON.stringify(metrics.logEnd)).toContain('goes on after epoch 1');
  });

  it.each([
    'SettleDrop',
    'PlanTraining',
    'PackageSource',
    'StartTraining',
    'CheckTraining',
    'RegisterModel',
    'EvaluateModel',
    'PromoteModel',
    'WriteTrainingReport',
  ])('stopped at %s it leaves no job, keeps no place, and is reported once', async (state) => {
    const name = `stopped-${state.toLowerCase()}`;
    const run = `training/${name}/d/000001`;
    await givePipeline(name, {}, { limits: { maxConcurrentRuns: 1 } });
    await drop(name, state === 'CheckTraining' ? { mode: 'wait' } : {});
    await untilEntered(run, state);
    await laptop.application.executions('training').stop(laptop.executionArn(run), OPERATOR);

    const { report, message, parts } = await outcome(name);
    // The function that writes the report may be at work by then: what it has written stands.
    if (state === 'CheckTraining' || report.status !== 'completed')
      expect(report).toMatchObject({
        status: 'failed',
        failure: { error: 'Operator', cause: 'by mistake' },
      });
    expect(message.attributes.status).toBe(report.status);
    const record = await readJson(bucketLayout.job(parts, 1));
    if (record !== undefined) expect(await restOf(record.jobName)).not.toBe('InProgress');

    // The next run of the pipeline takes its place: the one before holds none.
    await drop(name, { mode: '', 'more.txt': 'more' });
    const next = await outcome(name, '000002');
    expect(next.report).toMatchObject({ status: 'completed' });
  });
});

it('inferdrop verify asks IAM about every call that a role has made', () => {
  // What is listed is put on file by RECORD_ROLE_CALLS=1, where a role should make the call.
  expect(laptop.unaskedCalls()).toEqual([]);
});
