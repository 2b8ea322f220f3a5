import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { planWith, reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const BASELINE = 'shapes/friday/000001';
const softmax = (...scores: number[]) => JSON.stringify({ predictions: [scores] });
const INPUT: RunInput = { name: '1-circle.png', output: softmax(1, 0, 0) };
const run = runKeys();
const runFolder = bucketLayout.run(run);

/** Folds the shards of a run and writes its report. */
async function reported({ shards, run }: ReturnType<typeof reconciledRun>, store: ObjectStore) {
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const services = {
    store,
    clock: () => new Date('2026-11-21T10:05:00.000Z'),
    logs: memoryEngineLogs(),
    thumbnail,
  };
  await writeReport({ run, startedAt: '2026-11-21T10:00:00.000Z' }, services);
}

test('what a run leaves for people has its media type, so that browsers show pages and drawings', async () => {
  const before = reconciledRun([INPUT], { run: BASELINE });
  const memory = before.store;
  await reported(before, memory);
  const types: Record<string, string | undefined> = {};
  const note = (key: string, contentType: string | undefined) =>
    void (types[key.slice(runFolder.length)] = contentType);
  const store: ObjectStore = {
    ...memory,
    write: (key, body, about) => {
      note(key, about?.contentType);
      return memory.write(key, body, about);
    },
    writeStream: (key, body, about) => {
      note(key, about?.contentType);
      return memory.writeStream(key, body, about);
    },
  };
  const report = {
    topK: [1],
    images: true,
    slices: [],
    clusters: null,
    baseline: { asked: BASELINE, run: BASELINE },
  };
  const changed = { ...INPUT, output: softmax(0, 1, 0) };
  await reported(reconciledRun([changed], { store: memory, plan: { report } }), store);
  const CSV = 'text/csv; charset=utf-8';
  expect(types).toMatchObject({
    'fold/000000.flips.csv': CSV,
    'rows/000000.parquet': 'application/vnd.apache.parquet',
    'report.html': 'text/html; charset=utf-8',
    'summary.md': 'text/markdown; charset=utf-8',
    'confusion-matrix.svg': 'image/svg+xml',
    'athena.sql': 'text/plain; charset=utf-8',
    'errors.csv': CSV,
    'flips.csv': CSV,
  });
});

test('a run that is compared with no other has no flips.csv', async () => {
  const prepared = reconciledRun([INPUT]);
  await reported(prepared, prepared.store);
  expect(prepared.store.text(bucketLayout.errors(run))).toBe('key,record_index,line,id,reason,detail\r\n');
  expect(prepared.store.text(bucketLayout.flips(run))).toBeUndefined();
});

test.each([
  [2_000, true],
  [2_001, false],
])('of %d classes a confusion matrix is drawn: %s', async (count, isDrawn) => {
  const classes = Array.from({ length: count }, (_, at) => `class-${at}`);
  const truth = { from: 'key', pattern: '(class-1)' } as const;
  const labels = { ...planWith().labels, truth, classes };
  const answer = { name: 'class-1.png', output: '{"predictions":["class-1"]}' };
  const prepared = reconciledRun([answer], { plan: { labels } });
  await reported(prepared, prepared.store);
  expect(prepared.store.keys().includes(bucketLayout.confusionMatrix(run))).toBe(isDrawn);
});
