import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { LabelSorter, writeSortedLabels } from '../../../src/app/plan/read/label-file.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { planWith, reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const BASELINE = 'shapes/friday/000001';
const before = runKeys(BASELINE);
const run = runKeys();
const softmax = (...scores: number[]) => JSON.stringify({ predictions: [scores] });
const INPUTS: RunInput[] = [
  { name: '1-circle.png', output: softmax(1, 0, 0) },
  { name: '2-star.png', output: softmax(0, 0, 1) },
];
const CHANGED = INPUTS.map((input) => ({ ...input, output: softmax(0, 1, 0) }));
const STARTED = '2026-11-21T10:00:00.000Z';
const services = {
  clock: () => new Date('2026-11-21T10:05:00.000Z'),
  logs: memoryEngineLogs(),
  thumbnail,
};

/** A folded run, and one that is compared with it and folded unless `missing` is what its folding reads. */
async function compared(missing?: string) {
  const { store, shards } = reconciledRun(INPUTS, { run: BASELINE });
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const report = {
    topK: [1],
    images: true,
    slices: [],
    clusters: null,
    baseline: { asked: BASELINE, run: BASELINE },
  };
  const second = reconciledRun(CHANGED, { store, perShard: 1, plan: { report } });
  if (missing !== undefined) store.remove(missing);
  for (const shard of second.shards)
    await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  return store;
}

test.each([
  ['its plan', bucketLayout.plan(before)],
  ['its inputs', bucketLayout.reconciled(before)],
  ['its rows', bucketLayout.rows(before, 0)],
])('a baseline that has lost %s ends the run, which says so', async (_, key) => {
  await expect(compared(key)).rejects.toThrow(
    expect.objectContaining({ name: 'BaselineMissing', message: `${key} is not there any more` }),
  );
});

test('a baseline without its report is compared with all the same; what it had besides is not known', async () => {
  const store = await compared();
  const writing = writeReport({ run, startedAt: STARTED }, { store, ...services });
  await expect(writing).resolves.toMatchObject({ status: 'completed' });
  const { comparison } = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(comparison).toMatchObject({ answered: 2, inputs: { paired: 2, missing: null } });
});

test('a shard whose list of inputs is gone ends the run, which says so', async () => {
  const { store, shards } = reconciledRun(INPUTS);
  const key = bucketLayout.reconciled(run);
  store.remove(key);
  await expect(foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) })).rejects.toThrow(
    expect.objectContaining({ name: 'RunFileMissing', message: `${key} is not there` }),
  );
});

test('a run whose list of shards is gone is not reported as an empty one', async () => {
  const { store, shards } = reconciledRun(INPUTS);
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  store.remove(bucketLayout.shards(run));
  const writing = writeReport({ run, startedAt: STARTED }, { store, ...services });
  await expect(writing).rejects.toThrow(expect.objectContaining({ name: 'RunFileMissing' }));
  expect(store.text(bucketLayout.reportJson(run))).toBeUndefined();
});

test('the first reason of a shard that could not be folded is kept for the report', async () => {
  const { store, shards } = reconciledRun([{ name: 'a.png', output: softmax(1, 0) }]);
  await expect(foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) })).rejects.toThrow(
    'has 2',
  );
  expect(JSON.parse(store.text(bucketLayout.foldFailure(run))!)).toMatchObject({
    error: 'ClassCountMismatch',
  });
});

test.each([
  ['a tally', bucketLayout.tally(run, 1), /is not there: FoldPredictions has not finished this shard$/],
  ['flips', bucketLayout.shardFlips(run, 0), /is not there$/],
])('no report is written of a run whose shard has left no %s', async (_, key, message) => {
  const store = await compared();
  store.remove(key);
  const writing = writeReport({ run, startedAt: STARTED }, { store, ...services });
  await expect(writing).rejects.toThrow(
    expect.objectContaining({ name: 'TallyMissing', message: expect.stringMatching(message) }),
  );
  expect(store.text(bucketLayout.reportJson(run))).toBeUndefined();
});

test('labels whose sorted part is gone end the run, but for a shard whose keys come before it', async () => {
  const store = memoryObjectStore();
  const sorter = new LabelSorter(1);
  sorter.add([{ key: 'incoming/shapes/monday/2-star.png', recordIndex: undefined, label: 'star' }]);
  const labels = {
    ...planWith().labels,
    truth: { from: 'file', path: 'labels.csv', column: null } as const,
    index: await writeSortedLabels(store, run, sorter.finish()),
  };
  const { shards } = reconciledRun([...INPUTS, { name: '3-star.png', output: softmax(0, 0, 1) }], {
    store,
    perShard: 1,
    plan: { labels },
  });
  const part = bucketLayout.labelPart(run, 0);
  store.remove(part);
  await expect(foldPredictions(shards[1]!, { store, imageFacts, clock: () => new Date(0) })).rejects.toThrow(
    expect.objectContaining({ name: 'RunFileMissing', message: `${part} is not there` }),
  );
  store.requests.length = 0;
  await expect(
    foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) }),
  ).resolves.toMatchObject({ records: 1 });
  expect(store.requests.map(({ key }) => key)).not.toContain(part);
});
