import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobFault, TransformFaults } from '../../packages/laptop/sagemaker/faults.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { settingsOf } from '../../src/transform/engine-settings.ts';
import { JobRecord } from '../../src/transform/job-record.ts';
import { aDrop } from '../support/a-run.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

/** Faults that happen once, by the pipeline whose first job they befall. */
const once = new Map<string, JobFault>([
  ['nothing', 'nothing'],
  ['capacity', 'capacity'],
  ['stopped', 'stopped'],
  ['throttle', 'throttle'],
]);
/** Called as a job comes to an object of this key. */
const meets = new Map<string, () => 'poison' | undefined>();
const faults: TransformFaults = {
  job: (jobName) => {
    const pipeline = jobName.split('-')[1]!;
    const fault = once.get(pipeline);
    once.delete(pipeline);
    return fault;
  },
  object: (key) => meets.get(key)?.(),
};

let laptop: Laptop;
let images: Record<string, Uint8Array>;
let names: string[];
beforeAll(async () => {
  laptop = await startLaptop(faults);
  images = await laptop.images(6);
  names = Object.keys(images);
});
afterAll(() => laptop.close());

/** Runs a drop of six images in a pipeline of its own, and gives what it left. */
async function run(pipeline: string) {
  await laptop.givePipeline(pipeline, (config) => {
    config.gate = null;
    config.transform.instanceTypes = ['ml.m5.xlarge', 'ml.c5.xlarge'];
  });
  await laptop.upload(pipeline, 'drop', images);
  const name = `${pipeline}/drop/000001`;
  const { report } = await laptop.await(name);
  const parts = parseRunId(name)!;
  const { store } = laptop.application;
  const jobs: JobRecord[] = [];
  for (let attempt = 1; ; attempt++) {
    const text = await store.readText(bucketLayout.job(parts, attempt));
    if (text === undefined) break;
    jobs.push(JobRecord.parse(JSON.parse(text)));
  }
  const reasons = ((await store.readText(bucketLayout.errors(parts))) ?? '').split('\r\n').slice(1, -1);
  const cells = reasons.map((line) => line.split(','));
  return { report, jobs, reasons: cells.map(([key, place, , , why]) => [key, place, why]) };
}

const keyOf = (pipeline: string, index: number) =>
  `${bucketLayout.dropFolder(aDrop(`${pipeline}/drop`))}${names[index]!}`;

it.concurrent('one poison file costs one prediction', async () => {
  meets.set(keyOf('poison', 2), () => 'poison');
  const { report, jobs, reasons } = await run('poison');
  expect(report).toMatchObject({ status: 'completed-with-errors', total: 6, errors: 1 });
  expect(reasons).toEqual([[keyOf('poison', 2), '', 'model-error']]);
  expect(jobs.map(({ kind, objects, status }) => [kind, objects, status])).toEqual([
    ['part', 6, 'Failed'],
    ['retry', 1, 'Failed'],
  ]);
});

it.concurrent('a job that fails with nothing is halved', async () => {
  const { report, jobs } = await run('nothing');
  expect(report).toMatchObject({ status: 'completed', total: 6, errors: 0 });
  expect(jobs.map(({ kind, objects }) => [kind, objects])).toEqual([
    ['part', 6],
    ['first-half', 3],
    ['retry', 3],
  ]);
});

it.concurrent('want of an instance leads to the next type', async () => {
  const { report, jobs } = await run('capacity');
  expect(report).toMatchObject({ status: 'completed', errors: 0 });
  expect(jobs.map(({ engine, status }) => [settingsOf('sagemaker', engine).instanceType, status])).toEqual([
    ['ml.m5.xlarge', 'Failed'],
    ['ml.c5.xlarge', 'Completed'],
  ]);
});

it.concurrent('throttling is waited out', async () => {
  const { report, jobs } = await run('throttle');
  expect(report).toMatchObject({ status: 'completed', errors: 0 });
  expect(jobs).toHaveLength(1);
});

it.concurrent('a stopped job is made up for', async () => {
  const { report, jobs } = await run('stopped');
  expect(report).toMatchObject({ status: 'completed', errors: 0 });
  expect(jobs[0]).toMatchObject({ status: 'Stopped' });
});

it.concurrent('files that change meanwhile are named and not scored', async () => {
  const { store } = laptop.application;
  const changed = Promise.withResolvers<unknown>();
  meets.set(keyOf('changed', 0), () => {
    const body = images[names[5]!]!;
    changed.resolve(Promise.all([store.write(keyOf('changed', 1), body), store.delete(keyOf('changed', 3))]));
    return undefined;
  });
  const [{ report, reasons }] = await Promise.all([run('changed'), changed.promise]);
  expect(report.errors).toBe(2);
  expect(reasons.toSorted()).toEqual([
    [keyOf('changed', 1), '', 'superseded'],
    [keyOf('changed', 3), '', 'deleted'],
  ]);
  await laptop.upload('changed', 'drop', {});
  const next = await laptop.outcome('changed/drop/000002');
  expect(next.manifest).toEqual([names[1]]);
  expect(next.report).toMatchObject({ status: 'completed', total: 1, errors: 0 });
});
