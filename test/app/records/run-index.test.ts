import { expect, test } from 'vitest';
import { newestRuns, pipelinesWithRuns, runSummaryJson } from '../../../src/app/records/run-index.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import type { RunKind } from '../../../src/run/run-kind.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';

const DAY = 24 * 60 * 60 * 1000;

async function ended(store: MemoryObjectStore, run: string, day: number): Promise<string> {
  const at = new Date(Date.UTC(2026, 2, 1) + day * DAY);
  const summary = runSummaryJson(parseRunId(run)!, at);
  await summary.write(store, {
    schema: 1,
    run,
    status: 'completed',
    endedAt: at.toISOString(),
    total: 2,
    correct: 1,
    accuracy: 0.5,
    costUsd: null,
    gate: 'none',
    rescoreOf: null,
    sampleOf: null,
    labeled: 2,
    seconds: 1.5,
  });
  return summary.key;
}

test('runs are listed the newest first, of one pipeline and one kind, as many as are asked for', async () => {
  const store = memoryObjectStore();
  for (const [day, run] of ['clothes/a/000001', 'clothes/b/000001', 'clothes/c/000001'].entries())
    await ended(store, run, day);
  await ended(store, 'training/clothes/t/000001', 4);
  await ended(store, 'shoes/a/000001', 5);
  const names = async (...asked: [RunKind, string, number]) =>
    (await Array.fromAsync(newestRuns(store, ...asked))).map(({ run }) => run);
  expect(await names('inference', 'clothes', 2)).toEqual(['clothes/c/000001', 'clothes/b/000001']);
  expect(await names('training', 'clothes', 20)).toEqual(['training/clothes/t/000001']);
  expect(await pipelinesWithRuns(store, 'inference')).toEqual(['clothes', 'shoes']);
  expect(await pipelinesWithRuns(store, 'training')).toEqual(['clothes']);
});

test('an entry that S3 removes between its listing and its reading is skipped, and a stray folder is no pipeline', async () => {
  const store = memoryObjectStore();
  const first = await ended(store, 'clothes/a/000001', 1);
  await ended(store, 'clothes/b/000001', 2);
  store.put('index/No Pipeline/x.json', '{}');
  const { listPage } = store;
  store.listPage = async (...asked) => {
    const page = await listPage(...asked);
    store.remove(first);
    return page;
  };
  expect((await Array.fromAsync(newestRuns(store, 'inference', 'clothes', 9))).map(({ run }) => run)).toEqual(
    ['clothes/b/000001'],
  );
  expect(await pipelinesWithRuns(store, 'inference')).toEqual(['clothes']);
});
