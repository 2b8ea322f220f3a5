import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { compareRuns } from '../../../src/app/report/compare-runs.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const OTHER = 'shapes/friday/000001';
const clock = () => new Date('2026-11-21T10:05:00.000Z');
const circle = JSON.stringify({ predictions: [[0.8, 0.1, 0.1]] });
const square = JSON.stringify({ predictions: [[0.1, 0.7, 0.2]] });

const NOW: RunInput[] = [
  { name: '1-circle.png', output: square },
  { name: '2-circle.png', output: circle },
  { name: '3-square.png', output: square, etag: 'new' },
  { name: '4-square.png', output: square },
  { name: '5-circle.png', output: circle },
];
const BEFORE: RunInput[] = [
  { name: '0-circle.png', output: circle },
  { name: '1-circle.png', output: circle },
  { name: '2-circle.png', output: square },
  { name: '3-square.png', output: square },
  { name: '4-square.png', output: square },
];

async function run(
  inputs: RunInput[],
  name: string,
  perShard: number,
  baseline: object | null,
  store?: MemoryObjectStore,
) {
  const report = { topK: [1], images: true, slices: [], clusters: null, baseline };
  const made = reconciledRun(inputs, {
    perShard,
    run: name,
    plan: { report } as never,
    ...(store && { store }),
  });
  for (const shard of made.shards)
    await foldPredictions(shard, { store: made.store, imageFacts, clock: () => new Date(0) });
  const about = { run: runKeys(name), startedAt: clock().toISOString() };
  await writeReport(about, { store: made.store, clock, logs: memoryEngineLogs(), thumbnail });
  return made.store;
}

test.each([
  [1, 3],
  [2, 2],
  [5, 5],
])(
  'two runs in shards of %i and %i are compared as report.baseline would have',
  async (perShard, perOther) => {
    const store = await run(BEFORE, OTHER, perOther, null);
    await run(NOW, 'shapes/monday/000001', perShard, { asked: OTHER, run: OTHER }, store);
    const stored = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!));
    const { comparison, other } = await compareRuns(store, runKeys(), runKeys(OTHER));
    expect(comparison).toEqual(stored.comparison);
    // By hand: 1, 2 and 4 are in both; 1 is lost, 2 gained.
    expect(comparison).toMatchObject({
      answered: 3,
      lost: 1,
      gained: 1,
      bothRight: 1,
      pValue: 1,
      inputs: { paired: 3, changed: 1, added: 1, missing: 1 },
    });
    expect(other.run).toBe(OTHER);
  },
);

test('copies are compared in no run', async () => {
  const before = [...BEFORE, { name: '6-circle.png', output: circle, copy: true as const }];
  const copied: RunInput[] = [...NOW, { name: '6-circle.png', output: square, copy: true }];
  const store = await run(before, OTHER, 3, null);
  await run(copied, 'shapes/monday/000001', 2, { asked: OTHER, run: OTHER }, store);
  const stored = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!));
  const { comparison } = await compareRuns(store, runKeys(), runKeys(OTHER));
  expect(comparison).toEqual(stored.comparison);
  expect(comparison).toMatchObject({ lost: 1, inputs: { paired: 3, changed: 1, added: 1, missing: 1 } });
});

test('a run that does not exist, and one whose files have expired, are refused by name', async () => {
  const store = await run(NOW, 'shapes/monday/000001', 2, null);
  await expect(compareRuns(store, runKeys(), runKeys(OTHER))).rejects.toMatchObject({ name: 'RunUnknown' });
  await run(BEFORE, OTHER, 2, null, store);
  store.remove(bucketLayout.rows(runKeys(OTHER), 0));
  await expect(compareRuns(store, runKeys(), runKeys(OTHER))).rejects.toMatchObject({
    name: 'BaselineMissing',
  });
});
