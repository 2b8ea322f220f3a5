import { expect, test } from 'vitest';
import { previousRun } from '../../../src/app/plan/read/find-baseline.ts';
import { runSummaryJson } from '../../../src/app/records/run-index.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

test('the run before is the newest of a drop, not the trial of a probe', async () => {
  const store = memoryObjectStore();
  const names = ['cats/monday/000001', 'cats/monday/000001p1', 'cats/monday/000001p2', 'cats/tuesday/000001'];
  for (const [minute, run] of names.entries()) {
    const endedAt = new Date(Date.UTC(2026, 2, 1, 12, minute));
    const figures = { total: 10, correct: 9, accuracy: minute / 10, costUsd: 0, gate: 'none' as const };
    const none = { rescoreOf: null, sampleOf: null, labeled: null, seconds: null };
    const facts = { schema: 1 as const, run, status: 'completed', endedAt: endedAt.toISOString() };
    await runSummaryJson(aRun(run), endedAt).write(store, { ...facts, ...figures, ...none });
  }
  expect(await previousRun(store, aRun('cats/tuesday/000001'))).toEqual({ run: names[0], accuracy: 0 });
});
