import { expect, test } from 'vitest';
import { newestMessages } from '../../../src/app/overview/messages.ts';
import { pipelineRows } from '../../../src/app/overview/pipeline-rows.ts';
import { endedRows, underWayRows } from '../../../src/app/overview/run-rows.ts';
import { rememberedIndex } from '../../../src/cli/console/remembered-index.ts';
import { emptyLedger } from '../../../src/plan/decide/pipeline-ledger.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { memoryEndpoints } from '../../support/memory-endpoints.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { runSummary } from '../../support/run-summary.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

function endRun(store: MemoryObjectStore, run: string, minute: number, facts: object = {}): void {
  const at = new Date(NOW.getTime() + minute * 60_000);
  const figures = { total: 10, correct: 9, accuracy: 0.9, labeled: 10, seconds: 3 };
  const line = runSummary({ run, endedAt: at.toISOString(), ...figures, ...facts });
  store.put(bucketLayout.indexEntry(parseRunId(run)!, at), line);
}

function servicesOf(store: MemoryObjectStore) {
  const executions = memoryExecutions({ clock: () => NOW });
  return {
    store,
    bucket: store.bucket,
    endpointPrefix: 'inferdrop-dev',
    clock: () => NOW,
    endpoints: memoryEndpoints(),
    executions: () => executions,
    all: executions,
    work: {
      executions: async (machine: string) =>
        machine === 'runs'
          ? executions.all.filter(({ status }) => status === 'RUNNING').map(({ arn }) => arn)
          : [],
    },
    machines: { inference: 'runs', training: 'trainings' },
  };
}

test('ended runs of all pipelines and kinds in one list, newest first, each with its verdict and interval', async () => {
  const store = memoryObjectStore();
  endRun(store, 'cats/monday/000001', 1);
  endRun(store, 'dogs/monday/000001', 3, { gate: 'failed', correct: 5, accuracy: 0.5 });
  endRun(store, 'training/cats/a/000001', 2, { correct: null, labeled: null, gate: 'none' });
  endRun(store, 'cats/tuesday/000001', 4, { status: 'refused', accuracy: null, correct: null, gate: 'none' });
  endRun(store, 'cats/sample/000001', 5, { sampleOf: 100 });
  const rows = await endedRows(store, 4);
  expect(rows.map(({ run, verdict }) => [run, verdict])).toEqual([
    ['cats/sample/000001', 'passed'],
    ['cats/tuesday/000001', 'refused'],
    ['dogs/monday/000001', 'failed-gate'],
    ['training/cats/a/000001', 'completed'],
  ]);
  // Wilson, 5 of 10: (0.5 + z²/20 ± z·√(0.025 + z²/400)) / (1 + z²/10)
  expect(rows[2]?.interval?.low).toBeCloseTo(0.2366, 4);
  expect(rows[2]?.interval?.high).toBeCloseTo(0.7634, 4);
  // The interval of a sample is one of the whole drop, which the line does not tell.
  expect(rows[0]?.interval).toBeNull();
});

test('the listing alone names the rows beyond those whose entries are read, those of the newest first', async () => {
  const store = memoryObjectStore();
  for (let at = 0; at < 30; at += 1) endRun(store, `cats/a-b-${at}/000001r2`, at);
  endRun(store, 'dogs/monday/000001', 12.5);
  const before = store.requests.length;
  const rows = await endedRows(store, 20, { readAtMost: 3 });
  const reads = store.requests.slice(before).filter(({ operation }) => operation === 'GET');
  expect(reads).toHaveLength(3);
  expect(rows).toHaveLength(20);
  const named = new Set(rows.map(({ run }) => run));
  expect(named).toContain('dogs/monday/000001');
  expect(named).toContain('cats/a-b-11/000001r2');
  expect(named).not.toContain('cats/a-b-10/000001r2');
  const read = rows.filter(({ verdict }) => verdict !== 'unread');
  expect(read.map(({ run, accuracy }) => [run, accuracy])).toEqual([
    ['cats/a-b-29/000001r2', 0.9],
    ['cats/a-b-28/000001r2', 0.9],
    ['cats/a-b-27/000001r2', 0.9],
  ]);
});

test('a list that was read before costs a listing, and a changed entry is read again', async () => {
  const store = memoryObjectStore();
  for (let at = 0; at < 30; at += 1) endRun(store, `cats/d${at}/000001`, at);
  const remembered = rememberedIndex(store);
  await endedRows(remembered, 100);
  const before = store.requests.length;
  await endedRows(remembered, 100);
  expect(store.requests.slice(before).filter(({ operation }) => operation === 'GET')).toEqual([]);
  endRun(store, 'cats/d3/000001', 3, { gate: 'failed' });
  const rows = await endedRows(remembered, 100);
  expect(rows.find(({ run }) => run === 'cats/d3/000001')?.verdict).toBe('failed-gate');
  expect(store.requests.slice(before).filter(({ operation }) => operation === 'GET')).toHaveLength(1);
});

test('runs under way say what they do', async () => {
  const services = servicesOf(memoryObjectStore());
  const run = 'cats/monday/000001';
  await services.all.start('a', JSON.stringify({ schema: 1, run }));
  services.all.all[0]!.events.push(
    { id: 1, type: 'TaskStateEntered', at: NOW, state: 'CheckTransform' },
    {
      id: 2,
      type: 'TaskStateExited',
      at: NOW,
      state: 'CheckTransform',
      output: JSON.stringify({
        status: 'running',
        waitSeconds: 5,
        poll: 1,
        progress: { done: 3, total: 8, approximate: false },
      }),
    },
    { id: 3, type: 'WaitStateEntered', at: NOW, state: 'WaitForTransform' },
  );
  expect(await underWayRows(services)).toEqual([
    expect.objectContaining({
      run,
      pipeline: 'cats',
      verdict: 'running',
      step: 'Predict',
      endedAt: null,
      progress: { done: 3, total: 8, approximate: false },
    }),
  ]);
});

test('a pipeline has its settings, its last runs without the trials of a probe, and the cost of today alone', async () => {
  const store = memoryObjectStore();
  const config = {
    model: { framework: 'tensorflow', frameworkVersion: '2.19' },
    labels: { classes: ['cat', 'dog'] },
    gate: { minAccuracy: 0.8 },
  };
  store.put(bucketLayout.pipelineConfig('cats'), JSON.stringify(config));
  store.put(bucketLayout.pipelineConfig('broken'), '{');
  store.put(bucketLayout.pipelineConfig('rests'), JSON.stringify(config));
  const ledger = { ...emptyLedger(NOW), spentUsd: 1.5, endedRuns: 1 };
  store.put(bucketLayout.ledger('rests'), JSON.stringify({ ...ledger, day: '2026-02-28' }));
  endRun(store, 'cats/monday/000001', 1);
  for (let trial = 1; trial <= 30; trial += 1)
    endRun(store, `cats/monday/000001p${trial}`, 1 + trial / 100, { accuracy: 0.5 });
  const active = [
    { run: 'cats/monday/000001', day: '2026-03-01', quoteUsd: 0.3 },
    { run: 'cats/monday/000001p30', day: '2026-03-01', quoteUsd: 0.3 },
    { run: 'cats/tuesday/000001', day: '2026-03-01', quoteUsd: 0.3 },
  ];
  store.put(bucketLayout.ledger('cats'), JSON.stringify({ ...ledger, day: '2026-03-01', active }));
  const { pipelines, underWay } = await pipelineRows(servicesOf(store));
  expect(underWay).toEqual([]);
  expect(pipelines.map(({ pipeline, todayUsd }) => [pipeline, todayUsd])).toEqual([
    ['broken', 0],
    ['cats', 1.7],
    ['rests', 0],
  ]);
  expect(pipelines[0]?.settings).toBeNull();
  expect(pipelines[1]).toMatchObject({
    settings: { framework: 'tensorflow', classes: 2, minAccuracy: 0.8, trains: false },
    runs: [{ run: 'cats/monday/000001', accuracy: 0.9 }],
    endpoint: null,
  });
});

test('messages about runs and endpoints in one list, newest first; one that is only claimed is not sent', async () => {
  const store = memoryObjectStore();
  endRun(store, 'cats/monday/000001', 1);
  endRun(store, 'training/cats/a/000001', 2);
  const about = { schema: 1, body: 'text', attributes: {} };
  const minute = (at: number): Date => new Date(NOW.getTime() + at * 60_000);
  const claimed = { ...about, subject: 'a run', claimedAt: minute(1).toISOString() };
  store.put(bucketLayout.message(parseRunId('cats/monday/000001')!), JSON.stringify(claimed));
  store.put(
    bucketLayout.message(parseRunId('training/cats/a/000001')!),
    JSON.stringify({ ...claimed, subject: 'a training', sentAt: minute(3).toISOString() }),
  );
  for (const [pipeline, at] of [
    ['dogs', 4],
    ['cats', 2],
    ['cats', 5],
  ] as const) {
    const key = bucketLayout.endpointMessage(pipeline, minute(at), 'id');
    const message = { subject: pipeline, messageId: 'id', sentAt: minute(at).toISOString() };
    store.put(key, JSON.stringify({ schema: 1, pipeline, body: 'text', ...message }));
  }
  const rows = await newestMessages(store, 2);
  expect(rows.map(({ subject, run, isSent }) => [subject, run, isSent])).toEqual([
    ['cats', null, true],
    ['dogs', null, true],
    ['a training', 'training/cats/a/000001', true],
    ['a run', 'cats/monday/000001', false],
  ]);
});
