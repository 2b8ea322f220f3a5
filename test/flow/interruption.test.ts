import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancel } from '../../src/app/run/cancel.ts';
import { rerun } from '../../src/app/run/rerun.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { aDrop } from '../support/a-run.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';
import { readManifestKeys } from '../support/run-outcome.ts';

/** Pipelines whose jobs end only when they are stopped. */
const STOPPED = new Set(['unwanted', 'pulled']);
/** Pipelines whose model has been handed its first file. */
const transforming = new Set<string>();

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startLaptop({
    object(key) {
      const pipeline = key.split('/')[1] ?? '';
      transforming.add(pipeline);
      return STOPPED.has(pipeline) ? 'hang' : undefined;
    },
  });
});
afterAll(() => laptop.close());

const isTransforming = (pipeline: string): Promise<true> =>
  laptop.until(() => (transforming.has(pipeline) ? true : undefined));

/** The one transform job of a run, as SageMaker has it. */
async function jobOf(run: string) {
  const { store, sagemaker } = laptop.application;
  const record = JSON.parse((await store.readText(bucketLayout.job(toRun(run), 1)))!);
  return sagemaker.describeTransformJob(record.jobName);
}

const isKnown = async (run: string): Promise<boolean> =>
  (await laptop.application.executions('inference').describe(laptop.executionArn(run))) !== undefined;

describe.concurrent('a run that is interrupted', () => {
  it('rerun repeats it on the same manifest, with a fresh plan', async () => {
    const { application } = laptop;
    await laptop.givePipeline('again');
    await laptop.upload('again', 'd', await laptop.images(4));
    const original = await laptop.outcome('again/d/000001');
    await application.store.delete(bucketLayout.dropFolder(aDrop('again/d')) + '_READY');
    await laptop.givePipeline('again', (config) => (config.report.topK = [1, 5]));

    const { run } = await rerun({ run: parseRunId('again/d/000001')! }, application);
    const repeated = await laptop.outcome(run);

    expect(run).toBe('again/d/000001r2');
    expect(repeated.manifest).toEqual(original.manifest);
    expect(repeated.report).toMatchObject({
      status: 'completed',
      total: 4,
      correct: original.report.correct,
    });
    expect(original.report.quality?.topK.map(({ k }) => k)).toEqual([1, 3]);
    expect(repeated.report.quality?.topK.map(({ k }) => k)).toEqual([1, 5]);
  });

  it('a label file that is overwritten counts as it was when the run was planned', async () => {
    const { store } = laptop.application;
    await laptop.givePipeline('relabeled', (config) => (config.labels.truth = { from: 'file' }));
    const images = await laptop.images(3);
    const labeled = (index: number): string =>
      Object.keys(images)
        .map((name) => `${name},${index}\n`)
        .join('');
    await laptop.upload('relabeled', 'd', { 'labels.csv': labeled(0), ...images });
    await laptop.until(() => store.describe(bucketLayout.plan(toRun('relabeled/d/000001'))));
    await store.write('incoming/relabeled/d/labels.csv', labeled(1));

    const { report } = await laptop.outcome('relabeled/d/000001');
    expect(report.classes[0]).toMatchObject({ name: 't-shirt', support: 3 });
  });

  it('cancel stops the execution and its job; the message says who it was', async () => {
    await laptop.givePipeline('unwanted');
    await laptop.upload('unwanted', 'd', await laptop.images(3));
    await isTransforming('unwanted');

    await cancel(
      { run: parseRunId('unwanted/d/000001')!, by: 'ann' },
      { ...laptop.application, clock: () => new Date() },
    );
    const { report, message } = await laptop.outcome('unwanted/d/000001');

    expect(report).toMatchObject({
      status: 'canceled',
      failure: { error: 'Canceled', cause: 'Canceled by ann.' },
    });
    expect(message.body).toContain('Canceled by ann.');
    const job = await laptop.until(async () => {
      const found = await jobOf('unwanted/d/000001');
      return found?.status === 'Stopping' ? undefined : found;
    });
    expect(job.status).toBe('Stopped');
    expect(await isKnown('unwanted/d/000002')).toBe(false);
  });

  it('an execution that is stopped in the console stops its job and is reported', async () => {
    const run = 'pulled/d/000001';
    await laptop.givePipeline('pulled');
    await laptop.upload('pulled', 'd', await laptop.images(3));
    await isTransforming('pulled');

    const executions = laptop.application.executions('inference');
    await executions.stop(laptop.executionArn(run), { error: 'Operator', cause: 'wrong model' });
    const { report, message } = await laptop.outcome(run);

    expect(report).toMatchObject({
      status: 'failed',
      total: 3,
      failure: { error: 'Operator', cause: 'wrong model' },
    });
    expect(message.attributes).toMatchObject({ status: 'failed' });
    expect((await jobOf(run))?.status).toMatch(/^Stopp/);
  });

  it('an execution that dies before it froze leaves its files to the next generation', async () => {
    const { executions, store } = laptop.application;
    await laptop.givePipeline('dying');
    await laptop.upload('dying', 'd', await laptop.images(3), { isReady: false });
    await laptop.until(async () => ((await isKnown('dying/d/000001')) ? true : undefined));

    await executions('inference').stop(laptop.executionArn('dying/d/000001'), {
      error: 'Operator',
      cause: 'by mistake',
    });
    const first = await laptop.outcome('dying/d/000001');
    // Not sooner: a Lambda that the dead execution left behind would find the drop quiet, and freeze it.
    await laptop.upload('dying', 'd', {});
    const second = await laptop.outcome('dying/d/000002');

    expect(first.report).toMatchObject({ status: 'failed', total: 0 });
    expect(await readManifestKeys(store, 'dying/d/000001')).toEqual([]);
    expect(second.manifest).toEqual(Object.keys(await laptop.images(3)));
    expect(second.report).toMatchObject({ status: 'completed', total: 3 });
  });
});

it('inferdrop verify asks IAM about every call that a role has made', () => {
  // What is listed is put on file by RECORD_ROLE_CALLS=1, where a role should make the call.
  expect(laptop.unaskedCalls()).toEqual([]);
});
