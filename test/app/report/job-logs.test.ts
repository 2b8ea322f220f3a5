import { expect, test } from 'vitest';
import type { EngineLogs } from '../../../src/app/engine/engine-logs.ts';
import { readJobRecords } from '../../../src/app/records/jobs.ts';
import { readExplanations } from '../../../src/app/report/explain-failures.ts';
import { readRuntimes } from '../../../src/app/report/read-runtimes.ts';
import { toReportJob } from '../../../src/app/report/report-job.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { settingsOf } from '../../../src/transform/engine-settings.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { runKeys } from '../../support/report-run.ts';

const run = runKeys();
const STARTED = '2026-11-21T10:00:00.000Z';

/** The records of a run's jobs. */
function jobsOf(...facts: Parameters<typeof jobRecord>[0][]) {
  const store = memoryObjectStore();
  for (const [at, fact] of facts.entries()) {
    const record = jobRecord({ attempt: at + 1, jobName: `job-${at + 1}`, startedAt: STARTED, ...fact });
    store.put(bucketLayout.job(run, record.attempt), JSON.stringify(record));
  }
  return readJobRecords(store, run);
}

test('the jobs of a run are listed as they were started, with what each cost and why it failed', async () => {
  const records = await jobsOf(
    { attempt: 12, jobName: 'last', startedAt: undefined },
    {
      attempt: 2,
      status: 'Failed',
      failureReason: 'ClientError',
      endedAt: STARTED,
      costUsd: 0.5,
      engine: { ...settingsOf('sagemaker', jobRecord().engine), instanceCount: 3 },
    },
    { attempt: 1, objects: 7 },
  );
  const jobs = records.map(toReportJob);
  expect(jobs.map(({ name }) => name)).toEqual(['job-3', 'job-2', 'last']);
  expect(jobs.slice(1)).toEqual([
    {
      name: 'job-2',
      status: 'Failed',
      hardware: '3 × ml.m5.xlarge',
      objects: 1,
      startedAt: STARTED,
      endedAt: STARTED,
      costUsd: 0.5,
      failureReason: 'ClientError',
    },
    {
      name: 'last',
      status: 'InProgress',
      hardware: '1 × ml.m5.xlarge',
      objects: 1,
      startedAt: null,
      endedAt: null,
      costUsd: null,
      failureReason: null,
    },
  ]);
});

const ran = (...lines: string[]) => ({ i: lines });
const named = (runtime: string) => `serving runtime: ${runtime}`;

test('runtimes are what the first and the last job that started say at their beginning', async () => {
  const logs = memoryEngineLogs({
    'job-1': ran(named('engine 0')),
    'job-2': ran('starting', `no ${named('x')}`, named('engine 1'), named('engine 1'), named('engine 2')),
    'job-3': ran(named('engine 3')),
    'job-4': ran(...Array.from({ length: 99 }, () => 'line'), named('engine 4'), named('too late')),
  });
  const jobs = await jobsOf({ startedAt: undefined }, {}, {}, {}, { startedAt: undefined });
  expect(await readRuntimes(logs, jobs)).toEqual({
    runtimes: ['engine 1', 'engine 2', 'engine 4'],
    notes: [],
  });
  expect(await readRuntimes(logs, [])).toEqual({ runtimes: [], notes: [] });
});

test('the log of a job that completed is not read for failures', async () => {
  const read: string[] = [];
  const { sagemaker, lambda } = memoryEngineLogs();
  const failures: EngineLogs['failures'] = (record, most) => {
    read.push(record.jobName);
    return sagemaker.failures(record, most);
  };
  await readExplanations(
    { sagemaker: { ...sagemaker, failures }, lambda },
    await jobsOf({ status: 'Completed' }, { status: 'Stopped' }, { status: 'Failed' }),
    (name) => `b/${name}`,
  );
  expect(read).toEqual(['job-2', 'job-3']);
});

test('only inputs that the model did not answer have the words of the log', async () => {
  const log = [`x:[sagemaker logs]: b/a.png: ClientError: 400`];
  const { explain, notes } = await readExplanations(
    memoryEngineLogs({ 'job-1': { 'i/data-log': log } }),
    await jobsOf({}),
    (name) => `b/${name}`,
  );
  const failure = { key: 'a.png', recordIndex: null, reason: 'model-error', detail: 'no output' };
  expect(explain(failure).detail).toBe('the container answered 400 (no output)');
  for (const other of [
    { ...failure, key: 'b.png' },
    { ...failure, reason: 'empty' },
  ])
    expect(explain(other)).toEqual(other);
  expect(notes).toEqual([]);
});

test.each([
  [20_000, []],
  [
    20_001,
    [
      'errors.csv says of the first 20000 failed inputs what the container answered; inferdrop logs RUN shows all',
    ],
  ],
])('of %d failed inputs the reasons of 20,000 are kept', async (count, expected) => {
  const log = Array.from({ length: count }, (_, at) => `x:[sagemaker logs]: b/${at}: ClientError: 400`);
  const { notes } = await readExplanations(
    memoryEngineLogs({ 'job-1': { 'i/data-log': log } }),
    await jobsOf({}),
    (name) => `b/${name}`,
  );
  expect(notes).toEqual(expected);
});
