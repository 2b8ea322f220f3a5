import { expect, test } from 'vitest';
import { labelsSince } from '../../../src/app/plan/read/read-found.ts';
import { noLabelChanges } from '../../../src/label/label-changes.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';

type Found = Parameters<typeof labelsSince>;

/** A run that has left rows, and changed labels of those before it. */
function left(
  store: MemoryObjectStore,
  name: string,
  changed: { since: string[]; toward: number } | null,
): void {
  const run = aRun(name);
  for (const key of [bucketLayout.plan(run), bucketLayout.shards(run), bucketLayout.rows(run, 0)])
    store.put(key, '{}');
  const labelChanges = changed && { ...noLabelChanges(), ...changed, right: 0, labeled: 0 };
  const gate = { verdict: 'none', explanation: '', isSet: false };
  const figures = { status: 'completed', total: 1, correct: 1, errors: 0, accuracy: 1, costUsd: 0, gate };
  store.put(
    bucketLayout.reportJson(run),
    JSON.stringify({ ...figures, isDoubted: false, errorsByReason: {}, labelChanges }),
  );
}

function asked(
  origin: object,
  { deploy = 'when-gate-passes', truth = { from: 'folder' } as object | null } = {},
): Found[1] {
  const config = { labels: { truth }, endpoint: { deploy }, training: null };
  return { run: aRun('cats/today/000001'), frozen: { origin }, configuration: { config } } as never;
}
const none = { compared: { baseline: null }, previous: null } as never;
const found = (baseline: string | null, previous: string | null): Found[2] =>
  ({
    compared: { baseline: { asked: 'last-passed', run: baseline } },
    previous: previous && { run: previous, accuracy: null },
  }) as never;

test('a rescore or rerun compares with the run whose manifest it has', async () => {
  const store = memoryObjectStore();
  left(store, 'cats/monday/000001', null);
  const of = 'cats/monday/000001';
  for (const mode of ['rescore', 'rerun', 'continue'])
    expect(await labelsSince(store, asked({ mode, of }), none)).toEqual([of]);
});

test('a new drop compares with the baseline, and if something acts with the run before', async () => {
  const store = memoryObjectStore();
  left(store, 'cats/monday/000001', null);
  left(store, 'cats/tuesday/000001', null);
  const both = found('cats/monday/000001', 'cats/tuesday/000001');
  expect(await labelsSince(store, asked({ mode: 'drop' }), both)).toEqual([
    'cats/monday/000001',
    'cats/tuesday/000001',
  ]);
  expect(await labelsSince(store, asked({ mode: 'drop' }, { deploy: 'never' }), both)).toEqual([
    'cats/monday/000001',
  ]);
});

test('a run that changed labels brings the runs that it compared with, so that no second run launders them', async () => {
  const store = memoryObjectStore();
  left(store, 'cats/monday/000001', null);
  left(store, 'cats/tuesday/000001', { since: ['cats/monday/000001'], toward: 3 });
  left(store, 'cats/thursday/000001', { since: ['cats/monday/000001'], toward: 0 });
  const drop = asked({ mode: 'drop' });
  expect(await labelsSince(store, drop, found(null, 'cats/tuesday/000001'))).toEqual([
    'cats/monday/000001',
    'cats/tuesday/000001',
  ]);
  expect(await labelsSince(store, drop, found(null, 'cats/thursday/000001'))).toEqual([
    'cats/thursday/000001',
  ]);
});

test('runs whose rows have expired are not compared', async () => {
  const store = memoryObjectStore();
  left(store, 'cats/monday/000001', null);
  store.remove(bucketLayout.rows(aRun('cats/monday/000001'), 0));
  expect(await labelsSince(store, asked({ mode: 'drop' }), found('cats/monday/000001', null))).toEqual([]);
});
