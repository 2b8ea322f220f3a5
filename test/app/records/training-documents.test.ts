import { expect, test } from 'vitest';
import {
  lastTrainingJob,
  listTrainingJobRecords,
  trainingJobJson,
} from '../../../src/app/records/training-jobs.ts';
import { trainingPlanJson } from '../../../src/app/records/training-plan.ts';
import { packagedSourceJson, trainingMetricsJson } from '../../../src/app/records/training-work.ts';
import type { TrainingMetrics } from '../../../src/training/training-metrics.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { trainingJobRecord, trainingPlan } from '../../support/training-documents.ts';

const RUN = aRun('clothes/monday/000001');

test('the documents of a training are read as they were written', async () => {
  const store = memoryObjectStore();
  const record = trainingJobRecord();
  const metrics: TrainingMetrics = {
    schema: 1,
    run: record.run,
    jobName: record.jobName,
    final: { loss: null },
    series: [{ metric: 'loss', host: 'algo-1', count: 1, points: [{ at: record.createdAt, value: null }] }],
    logEnd: [{ host: 'algo-1', lines: ['done'] }],
    runtime: 'PyTorch 2.13.0 / Python 3.11.7',
    packages: ['numpy==2.3.1', 'torch==2.13.0'],
    isWhole: true,
  };
  await trainingPlanJson(RUN).write(store, trainingPlan());
  await trainingJobJson(RUN, 1).write(store, record);
  await trainingJobJson(RUN, 2).write(store, { ...record, attempt: 2 });
  await trainingMetricsJson(RUN).write(store, metrics);
  await packagedSourceJson(RUN).write(store, { schema: 1, sha256: 'a'.repeat(64), bytes: 9, files: 1 });

  expect(await trainingPlanJson(RUN).require(store)).toEqual(trainingPlan());
  expect(await Array.fromAsync(listTrainingJobRecords(store, RUN))).toEqual([
    record,
    { ...record, attempt: 2 },
  ]);
  expect(await trainingMetricsJson(RUN).require(store)).toEqual(metrics);
  expect(await packagedSourceJson(RUN).require(store)).toMatchObject({ bytes: 9 });
});

test('of ten attempts and more the newest counts, though its key is not the last', async () => {
  const store = memoryObjectStore();
  expect(await lastTrainingJob(store, RUN)).toBeUndefined();
  for (let attempt = 1; attempt <= 11; attempt += 1)
    await trainingJobJson(RUN, attempt).write(store, trainingJobRecord({ attempt }));
  expect(await lastTrainingJob(store, RUN)).toMatchObject({ attempt: 11 });
});
