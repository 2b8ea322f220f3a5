import { expect, test } from 'vitest';
import { findDropFile, frozenJson, MAX_JOB_BYTES, readJobFile } from '../../../src/app/records/drop.ts';
import { foldFailureJson, storeFoldFailure } from '../../../src/app/records/fold-failure.ts';
import { listJobRecords } from '../../../src/app/records/jobs.ts';
import { readManifest } from '../../../src/app/records/manifest.ts';
import { openRunFile } from '../../../src/app/records/run-file.ts';
import { Condition } from '../../../src/problem/conditions.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aDrop, aRun } from '../../support/a-run.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const RUN = aRun('clothes/monday/000001');
const DEFAULT = aDrop('clothes/default');

test('a document that is not there is named where it must be', async () => {
  const message = `${bucketLayout.frozen(RUN)} is not there: an earlier step of the run must have written it`;
  const missing = { name: 'RunFileMissing', message };
  await expect(frozenJson(RUN).require(memoryObjectStore())).rejects.toMatchObject(missing);
  await expect(openRunFile(memoryObjectStore(), bucketLayout.frozen(RUN), 9)).rejects.toMatchObject(missing);
});

test('a manifest is read on from where each entry says that it ends', async () => {
  const store = memoryObjectStore();
  const entries = ['a.png', 'é\u2028.png', 'z.png'].map((key) => ({
    key,
    size: 1,
    etag: 'e',
    lastModified: '2026-03-01T12:00:00.000Z',
  }));
  const key = bucketLayout.manifest(RUN);
  store.put(key, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const whole = await Array.fromAsync(readManifest(store, key));
  expect(whole.map(({ end: _, ...entry }) => entry)).toEqual(entries);
  for (const [at, { end }] of whole.entries())
    expect(await Array.fromAsync(readManifest(store, key, end))).toEqual(whole.slice(at + 1));
});

test('attempts are read in their order, without the other files beside them', async () => {
  const store = memoryObjectStore();
  for (const attempt of [2, 1]) {
    store.put(bucketLayout.job(RUN, attempt), JSON.stringify(jobRecord({ attempt })));
    store.put(bucketLayout.jobInput(RUN, attempt), '[]');
  }
  const attempts = await Array.fromAsync(listJobRecords(store, RUN), ({ attempt }) => attempt);
  expect(attempts).toEqual([1, 2]);
});

test('the first of the two places of a file of the default drop counts', async () => {
  const store = memoryObjectStore();
  expect(await readJobFile(store, DEFAULT)).toBeUndefined();
  expect((await findDropFile(store, DEFAULT, 'job.json')).found).toBeUndefined();
  store.put('incoming/clothes/default/job.json', 'second');
  expect(await readJobFile(store, DEFAULT)).toEqual({ text: 'second' });
  store.put('incoming/clothes/job.json', 'first');
  expect(await readJobFile(store, DEFAULT)).toEqual({ text: 'first' });
  expect((await findDropFile(store, DEFAULT, 'job.json')).key).toBe('incoming/clothes/job.json');
});

test('a job.json that is too long is not read, but its length is said', async () => {
  const store = memoryObjectStore();
  const key = 'incoming/clothes/job.json';
  store.put(key, ' '.repeat(MAX_JOB_BYTES));
  expect(await readJobFile(store, DEFAULT)).toEqual({ text: ' '.repeat(MAX_JOB_BYTES) });
  store.put(key, ' '.repeat(MAX_JOB_BYTES + 1));
  expect(await readJobFile(store, DEFAULT)).toEqual({ bytes: MAX_JOB_BYTES + 1 });
});

test('the first reason that no retry removes is kept of a shard that could not be folded', async () => {
  const store = memoryObjectStore();
  for (const error of [
    new Condition('Throttled', 'slow down'),
    new Error('a defect'),
    new Condition('ClassCountMismatch', '3 scores'),
    new Condition('TooManyLabels', 'later'),
  ])
    await storeFoldFailure(store, RUN, error);
  expect(await foldFailureJson(RUN).read(store)).toEqual({
    schema: 1,
    error: 'ClassCountMismatch',
    cause: '3 scores',
  });
});
