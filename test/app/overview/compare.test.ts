import { beforeAll, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { compareData, corrected, MAX_COMPARED } from '../../../src/app/overview/compare-data.ts';
import { compareTrainings } from '../../../src/app/overview/compare-trainings.ts';
import { liveCurves } from '../../../src/app/overview/live-curves.ts';
import { runPicture } from '../../../src/app/overview/run-picture.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';
import { trainingJobRecord, trainingPlan } from '../../support/training-documents.ts';
import { NOW, putFrozen, TRAINING } from '../../support/training-drop.ts';

const clock = () => new Date('2026-11-21T10:05:00.000Z');
const circle = JSON.stringify({ predictions: [[0.8, 0.1, 0.1]] });
const square = JSON.stringify({ predictions: [[0.1, 0.7, 0.2]] });
const RUNS = ['shapes/friday/000001', 'shapes/monday/000001', 'shapes/tuesday/000001'] as const;
const INPUTS: readonly (readonly RunInput[])[] = [
  [
    { name: '1-circle.png', output: circle },
    { name: '2-circle.png', output: square },
  ],
  [
    { name: '1-circle.png', output: square },
    { name: '2-circle.png', output: circle },
  ],
  [{ name: '1-circle.png', output: circle }],
];

let store: MemoryObjectStore;
beforeAll(async () => {
  store = memoryObjectStore({ bucket: 'bucket' });
  for (const [at, inputs] of INPUTS.entries()) {
    const { shards } = reconciledRun(inputs, { run: RUNS[at]!, perShard: 1, store });
    for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
    const about = { run: runKeys(RUNS[at]), startedAt: clock().toISOString() };
    await writeReport(about, { store, clock, logs: memoryEngineLogs(), thumbnail });
  }
});

test('each run is compared with the first, and has a line with its figures', async () => {
  const { runs, pairs } = await compareData(
    store,
    RUNS.map((run) => runKeys(run)),
  );
  expect(runs.map(({ run, accuracy, model }) => [run, accuracy, model])).toEqual([
    [RUNS[0], 0.5, 'ab'.repeat(32)],
    [RUNS[1], 0.5, 'ab'.repeat(32)],
    [RUNS[2], 1, 'ab'.repeat(32)],
  ]);
  expect(pairs).toMatchObject([
    { run: RUNS[1], answered: 2, lost: 1, gained: 1, accuracy: { before: 0.5, now: 0.5, change: 0 } },
    { run: RUNS[2], answered: 1, lost: 0, gained: 0, accuracy: { before: 1, now: 1 }, flips: [] },
  ]);
});

test('p values are corrected for the number of runs', async () => {
  const both = memoryObjectStore({ bucket: 'bucket' });
  const drops = [square, circle, circle].map((answer, at) =>
    Array.from({ length: 8 }, (_, place): RunInput => ({
      name: `${place}-circle.png`,
      output: at === 2 && place === 0 ? square : answer,
    })),
  );
  for (const [at, inputs] of drops.entries()) {
    const { shards } = reconciledRun(inputs, { run: RUNS[at]!, store: both });
    for (const shard of shards)
      await foldPredictions(shard, { store: both, imageFacts, clock: () => new Date(0) });
    const about = { run: runKeys(RUNS[at]), startedAt: clock().toISOString() };
    await writeReport(about, { store: both, clock, logs: memoryEngineLogs(), thumbnail });
  }
  const { pairs } = await compareData(
    both,
    RUNS.map((run) => runKeys(run)),
  );
  // Exact McNemar: 8 gained of 8 is 2/256, 7 of 7 is 2/128; Holm doubles the smaller one.
  expect(pairs).toMatchObject([{ pValue: 4 / 256 }, { pValue: 4 / 256 }]);
});

test('a run whose rows have expired keeps its line, and says why it is not compared', async () => {
  const rows = bucketLayout.rows(runKeys(RUNS[0]), 0);
  const kept = await store.readBytes(rows);
  store.remove(rows);
  const { runs, pairs } = await compareData(store, [runKeys(RUNS[0]), runKeys(RUNS[2])]);
  store.put(rows, Buffer.from(kept!));
  expect(runs).toHaveLength(2);
  expect(pairs).toEqual([
    { run: RUNS[2], reason: expect.stringContaining('is not there any more') as string },
  ]);
});

test('a run without a report, and more runs than are compared at once, are refused', async () => {
  await expect(compareData(store, [runKeys('shapes/nothing/000001')])).rejects.toMatchObject({
    kind: 'unknown-run',
  });
  const many = Array.from({ length: MAX_COMPARED + 1 }, () => runKeys(RUNS[0]));
  await expect(compareData(store, many)).rejects.toThrow(
    `at most ${MAX_COMPARED} runs are compared at once, ${MAX_COMPARED + 1} were chosen`,
  );
});

test('a picture is the input that the model has seen: no other object of the bucket, and no other content', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
  const key = 'incoming/shapes/tuesday/1-circle.png';
  store.put('pipelines/secret.png', png);
  const picture = (name: string) => runPicture(store, runKeys(RUNS[2]), name);
  await expect(picture('pipelines/secret.png')).rejects.toThrow('is no input of it');
  await expect(picture(key)).rejects.toThrow('is not there any more');
  const { etag } = await store.write(key, png);
  await expect(picture(key)).rejects.toThrow('has changed since it was predicted');
  const line = `${JSON.stringify({ key, size: png.length, etag, lastModified: clock().toISOString() })}\n`;
  const reconciled = bucketLayout.reconciled(runKeys(RUNS[2]));
  store.put(reconciled, line);
  const shard = { run: RUNS[2], shard: 0, start: 0, end: line.length, inputs: 1 };
  store.put(bucketLayout.shards(runKeys(RUNS[2])), JSON.stringify([shard]));
  expect(await picture(key)).toEqual({ bytes: new Uint8Array(png), mediaType: 'image/png' });
});

test('curves of a training under way come from its log, by host; a long log is not read at every look', async () => {
  let nowMs = 0;
  let readings = 0;
  const logs = {
    async *all(job: string) {
      readings += 1;
      nowMs += 1_000;
      for (const [host, value] of [
        ['algo-2', 0.5],
        ['algo-1', 0.9],
        ['algo-1', 0.4],
      ] as const)
        yield { at: NOW, stream: `${job}/${host}-1`, text: `loss: ${value}` };
    },
  };
  const read = liveCurves(logs, () => new Date(nowMs));
  const running = [trainingJobRecord({ status: 'InProgress' })];
  expect(await read(trainingPlan(), [trainingJobRecord({ status: 'Planned' })])).toEqual([]);
  const curves = await read(trainingPlan(), running);
  expect(curves.map(({ host, points }) => [host, points.map(({ value }) => value)])).toEqual([
    ['algo-1', [0.9, 0.4]],
    ['algo-2', [0.5]],
  ]);
  await read(trainingPlan(), running);
  expect(readings).toBe(1);
  nowMs += 10_000;
  await read(trainingPlan(), running);
  expect(readings).toBe(2);
});

test('trainings beside each other: hyperparameters, last values, and no judgment before there is one', async () => {
  const bucket = memoryObjectStore();
  putFrozen(bucket, TRAINING, {});
  bucket.put(bucketLayout.plan(TRAINING), JSON.stringify(trainingPlan({ hyperparameters: { lr: '0.1' } })));
  const services = {
    store: bucket,
    liveCurves: async () => [
      { metric: 'loss', host: 'algo-1', count: 2, points: [0.9, 0.4].map((value) => ({ at: '', value })) },
      { metric: 'loss', host: 'algo-2', count: 1, points: [{ at: '', value: 7 }] },
    ],
  };
  const { trainings } = await compareTrainings([TRAINING], services);
  expect(trainings).toMatchObject([
    {
      verdict: 'running',
      endedAt: null,
      hyperparameters: { lr: '0.1' },
      last: { loss: 0.4 },
      judged: null,
      promotion: null,
      costUsd: 0,
    },
  ]);
  await expect(compareTrainings([{ ...TRAINING, drop: 'none' }], services)).rejects.toMatchObject({
    kind: 'unknown-training',
  });
});

test('p values of several runs are corrected for their number, those without one left out', async () => {
  const { pairs } = await compareData(store, [runKeys(RUNS[0]), runKeys(RUNS[1])]);
  const [found] = pairs;
  if (found === undefined || 'reason' in found) throw new Error('the runs are not compared');
  const several = [0.02, null, 0.03].map((pValue) => ({ ...found, pValue }));
  const none = { run: 'cats/d/000001', reason: 'its rows have expired' };
  expect(corrected([...several, none])).toEqual([
    { ...found, pValue: 0.04 },
    { ...found, pValue: null },
    { ...found, pValue: 0.04 },
    none,
  ]);
  expect(corrected([found])).toEqual([found]);
});
