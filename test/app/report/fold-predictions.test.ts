import { describe, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { LabelSorter, writeSortedLabels } from '../../../src/app/plan/read/label-file.ts';
import { ShardTally } from '../../../src/app/records/scoring.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { Ledger } from '../../../src/judging/ledger.ts';
import { readRows } from '../../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { planWith, reconciledRun, RUN, type RunInput, runKeys } from '../../support/report-run.ts';

type Changes = Parameters<typeof planWith>[0];
const softmax = (...scores: number[]) => JSON.stringify({ predictions: [scores] });

async function fold(inputs: readonly RunInput[], plan: Changes = {}, labels: Record<string, string> = {}) {
  const { store, shards, run } = reconciledRun(inputs, { plan });
  for (const [key, text] of Object.entries(labels)) store.put(key, text);
  const answer = foldPredictions.output.parse(
    await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) }),
  );
  const stored = ShardTally.parse(JSON.parse(store.text(bucketLayout.tally(run, 0))!));
  const bytes = (await store.readBytes(bucketLayout.rows(run, 0)))!;
  const rows = (await Array.fromAsync(readRows(bytes))).flat();
  return { answer, stored, rows, store };
}

const labels = planWith().labels;

test('each input becomes a row', async () => {
  const { answer, rows } = await fold([
    { name: '1-circle.png', output: softmax(0.1, 0.7, 0.2) },
    { name: '2.png', output: softmax(0.8, 0.1, 0.1) },
    { name: 'größe/3-star.png', error: 'too-large' },
    { name: '4-oval.png', output: '{"predictions":["oval"]}' },
  ]);
  expect(answer).toEqual({ shard: 0, records: 3 });
  const nothing = { prediction: null, score: null, top_k: null, correct: null };
  const key = (name: string) => `incoming/shapes/monday/${name}`;
  const whole = { record_index: 0, line: null, id: null };
  expect(rows).toEqual([
    {
      key: key('1-circle.png'),
      ...whole,
      truth: 'circle',
      prediction: 'square',
      score: 0.7,
      top_k: '["square","star"]',
      correct: false,
      error: null,
    },
    {
      key: key('2.png'),
      ...whole,
      truth: null,
      prediction: 'circle',
      score: 0.8,
      top_k: '["circle","square"]',
      correct: null,
      error: null,
    },
    { key: key('größe/3-star.png'), ...whole, truth: 'star', ...nothing, error: 'too-large' },
    {
      key: key('4-oval.png'),
      ...whole,
      truth: 'oval',
      prediction: 'oval',
      score: null,
      top_k: null,
      correct: true,
      error: null,
    },
  ]);
});

test('a model with another number of classes ends the run and names both numbers', async () => {
  await expect(fold([{ name: '1-circle.png', output: softmax(0.1, 0.2, 0.3, 0.4) }])).rejects.toThrow(
    expect.objectContaining({
      name: 'ClassCountMismatch',
      message: expect.stringMatching(/expect 3 .*has 4/),
    }),
  );
});

test('a model that answers with more names than there can be classes ends the run', async () => {
  const lines = Array.from({ length: 1_001 }, (_, at) => `{"predictions":["name ${at}"]}`);
  const plan: Changes = { transform: { ...planWith().transform, contentType: 'application/jsonlines' } };
  await expect(fold([{ name: '1-circle.png', output: lines.join('\n') }], plan)).rejects.toThrow(
    expect.objectContaining({ name: 'TooManyLabels' }),
  );
});

test('a background class before the first', async () => {
  const plan = { labels: { ...labels, classOffset: -1 } };
  const { rows } = await fold(
    [{ name: '1-star.png', output: '{"predictions":[{"classes":3,"probabilities":[0,0.1,0.2,0.7]}]}' }],
    plan,
  );
  expect(rows[0]).toMatchObject({
    prediction: 'star',
    correct: true,
    score: 0.7,
    top_k: '["star","square"]',
  });
});

test('labels from the sorted parts that PlanRun left, of which a shard reads its own', async () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `${String(index).padStart(4, '0')}.png`);
  const store = memoryObjectStore({ bucket: 'bucket' });
  const sorter = new LabelSorter(1_500);
  const keyed = names.map((name) => ({ key: `incoming/shapes/monday/${name}`, recordIndex: undefined }));
  sorter.add(keyed.map((row) => ({ ...row, label: 'circle' })));
  sorter.add(keyed.toReversed().map((row) => ({ ...row, label: 'square' })));
  const truth = { from: 'file', path: 'labels.csv', column: null } as const;
  const plan: Changes = {
    labels: {
      ...labels,
      truth,
      file: 'nowhere',
      index: await writeSortedLabels(store, parseRunId(RUN)!, sorter.finish()),
    },
  };
  const inputs = names.map((name) => ({ name, output: softmax(0, 1, 0) }));
  const { shards, run } = reconciledRun(inputs, { plan, store, perShard: 10 });
  await foldPredictions(shards[200]!, { store, imageFacts, clock: () => new Date(0) });
  const { labeled, correct } = ShardTally.parse(JSON.parse(store.text(bucketLayout.tally(run, 200))!)).tally;
  expect([labeled, correct]).toEqual([10, 10]);
  const read = store.requests.filter(({ operation, key }) => operation === 'GET' && key.includes('labels'));
  expect(read.map(({ key }) => key)).not.toContain('nowhere');
});

test('sorted labels that are not there are said to be', async () => {
  const place = 'runs/shapes/monday/000001/labels/index.json';
  const truth = { from: 'file', path: 'labels.csv', column: null } as const;
  const plan: Changes = { labels: { ...labels, truth, index: place } };
  await expect(fold([{ name: 'a.png', output: softmax(0, 1, 0) }], plan)).rejects.toThrow(
    expect.objectContaining({
      name: 'RunFileMissing',
      message: expect.stringContaining(`${place} is not there`),
    }),
  );
});

test.each([
  ['text/csv', 200e6, 60, 1],
  ['text/csv', 100e6, 60, 2],
  ['text/csv', 1_000, 60, 48],
  ['application/x-image', 200e6, 60, 48],
  ['application/x-image', 200e6, 40_000, 16],
  ['application/x-image', 200e6, 1_000_000, 8],
] as const)('of files of %s, of %d bytes, %d in the run, %d are read at once', async (...about) => {
  const [contentType, size, objects, most] = about;
  let reading = 0;
  let seen = 0;
  const store = memoryObjectStore({
    bucket: 'bucket',
    before: ({ operation, key }, phase) => {
      if (operation !== 'GET' || !key.endsWith('.out')) return;
      reading += phase === 'request' ? 1 : -1;
      seen = Math.max(seen, reading);
    },
  });
  const plan: Changes = { objects, transform: { ...planWith().transform, contentType } };
  const inputs = Array.from({ length: 60 }, (_, at) => ({
    name: `${at + 10}-star.png`,
    size,
    output: softmax(0, 0, 1),
  }));
  const { shards } = reconciledRun(inputs, { plan, store });
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  expect(seen).toBe(most);
});

test('labels from folders', async () => {
  const plan: Changes = { labels: { ...labels, truth: { from: 'folder' } } };
  const { rows } = await fold(
    [
      { name: 'star/1.png', output: softmax(0, 0, 1) },
      { name: '2.png', output: softmax(0, 0, 1) },
    ],
    plan,
  );
  expect(rows.map(({ truth }) => truth)).toEqual(['star', null]);
});

test('an object of many records', async () => {
  const plan: Changes = { transform: { ...planWith().transform, contentType: 'application/jsonlines' } };
  const output = `${softmax(1, 0, 0)}\n${softmax(0, Number.NaN, 1).replace('null', 'NaN')}\n${softmax(0, 0, 1)}\n`;
  const { answer, rows, stored } = await fold([{ name: 'many-star.png', output }], plan);
  expect(answer.records).toBe(2);
  expect(rows.map(({ record_index, prediction, error }) => [record_index, prediction, error])).toEqual([
    [0, 'circle', null],
    [1, null, 'not-a-number'],
    [2, 'star', null],
  ]);
  expect(stored.failures).toMatchObject([{ recordIndex: 1, reason: 'not-a-number' }]);
});

test('records of a table that was opened have the label that lies in them, and the folder of their file', async () => {
  const transform = { ...planWith().transform, contentType: 'text/csv', splitType: 'Line' } as const;
  const inputs: RunInput[] = ['star', undefined].map((label, at) => ({
    name: `circle/many.csv/00000000${at}`,
    output: softmax(0, 0, 1),
    label,
  }));
  const inside: Changes = { transform, labels: { ...labels, truth: { from: 'record', path: '$[0]' } } };
  const truths = async (plan: Changes) => (await fold(inputs, plan)).rows.map(({ truth }) => truth);
  expect(await truths(inside)).toEqual(['star', null]);
  expect(await truths({ transform, labels: { ...labels, truth: { from: 'folder' } } })).toEqual([
    'circle',
    'circle',
  ]);
});

test('an output that vanished is an error of that input alone', async () => {
  const { store, shards, run } = reconciledRun([
    { name: '1-circle.png', output: softmax(1, 0, 0) },
    { name: '2-star.png', output: softmax(0, 0, 1) },
  ]);
  store.remove(`${bucketLayout.predictions(run)}2-star.png.out`);
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  const { tally, failures } = ShardTally.parse(JSON.parse(store.text(bucketLayout.tally(run, 0))!));
  expect(tally.predicted).toBe(1);
  expect(failures).toMatchObject([
    {
      key: 'incoming/shapes/monday/2-star.png',
      reason: 'output-missing',
      detail: 'runs/shapes/monday/000001/predictions/2-star.png.out is not there',
    },
  ]);
});

test('a shard reads its own bytes of the reconciled manifest, not more than it needs at once', async () => {
  const inputs = Array.from({ length: 300 }, (_, at) => ({
    name: `${String(at).padStart(3, '0')}-circle.png`,
    output: softmax(1, 0, 0),
  }));
  const { store, shards, run } = reconciledRun(inputs, { perShard: 100 });
  await foldPredictions(shards[1]!, { store, imageFacts, clock: () => new Date(0) });
  const read = store.requests.filter(({ key }) => key.startsWith(bucketLayout.predictions(run)));
  expect(read).toHaveLength(100);
  expect(read[0]?.key).toContain('/100-circle');
});

test('of an input without an output nothing is asked for', async () => {
  const { store } = await fold([
    { name: '1-circle.png', output: softmax(1, 0, 0) },
    { name: '2-star.png', error: 'model-error' },
  ]);
  const run = runKeys();
  const read = store.requests.filter(({ operation }) => operation === 'GET').map(({ key }) => key);
  expect(read.slice(0, 3)).toEqual([
    bucketLayout.plan(run),
    bucketLayout.reconciled(run),
    `${bucketLayout.predictions(run)}1-circle.png.out`,
  ]);
  // The last one is of this test.
  expect(read.slice(3)).toEqual([bucketLayout.rows(run, 0)]);
});

test('a shard of nothing leaves an empty tally', async () => {
  const { store, run } = reconciledRun([]);
  await foldPredictions(
    { run: runKeys(), shard: 0, start: 0, end: 0, inputs: 0 },
    { store, imageFacts, clock: () => new Date(0) },
  );
  expect(ShardTally.parse(JSON.parse(store.text(bucketLayout.tally(run, 0))!)).tally.inputs).toBe(0);
});

describe('the ledger', () => {
  const LINES = {
    transform: { ...planWith().transform, contentType: 'text/csv' },
  };
  const funnel = async (inputs: readonly RunInput[], plan: Changes = {}, rows: readonly Row[] = []) => {
    const truth = { from: 'file', path: 'labels.csv', column: null } as const;
    const store = memoryObjectStore({ bucket: 'bucket' });
    if (rows.length > 0) {
      const sorter = new LabelSorter(10);
      sorter.add(
        rows.map(([name, recordIndex, label]) => ({
          key: `incoming/shapes/monday/${name}`,
          recordIndex,
          label,
        })),
      );
      const index = await writeSortedLabels(store, parseRunId(RUN)!, sorter.finish());
      plan = { ...plan, labels: { ...labels, truth, file: 'nowhere', index } };
    }
    const { shards, run } = reconciledRun(inputs, { plan, store });
    await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
    const { ledger, tally, failures } = ShardTally.parse(JSON.parse(store.text(bucketLayout.tally(run, 0))!));
    const whole = new Ledger();
    whole.merge(ledger, (id) => id);
    const { asked, distinct, labeled, answered, right, totals } = whole;
    return { counts: [asked, distinct, labeled, answered, right], totals, errors: tally.errors, failures };
  };
  type Row = readonly [name: string, recordIndex: number | undefined, label: string];

  test('has each input that the model had to answer, with or without an answer or a label', async () => {
    const { counts, totals } = await funnel([
      { name: '1-circle.png', output: softmax(0.8, 0.1, 0.1) },
      { name: '2-circle.png', output: softmax(0.1, 0.8, 0.1) },
      { name: '3-circle.png', error: 'model-error' },
      { name: '4-circle.png', error: 'too-large' },
      { name: '5-circle.png', output: 'gibberish' },
      { name: '6.png', output: softmax(0.1, 0.8, 0.1) },
      { name: '7.png', error: 'model-error' },
      { name: '8-circle.png', error: 'superseded' },
      { name: '9.png', error: 'deleted' },
    ]);
    expect(counts).toEqual([7, 7, 5, 2, 1]);
    expect(totals).toMatchObject({ answered: 1, unanswered: 1, uncounted: 0 });
  });

  test('has a copy only among what was asked, whatever the model says of it', async () => {
    const { counts } = await funnel([
      { name: '1-circle.png', output: softmax(0.8, 0.1, 0.1) },
      { name: '2-circle.png', output: softmax(0.8, 0.1, 0.1), copy: true },
      { name: '3-circle.png', error: 'model-error', copy: true },
      { name: '4.png', output: softmax(0.8, 0.1, 0.1), copy: true },
    ]);
    expect(counts).toEqual([4, 1, 1, 1, 1]);
  });

  const three: readonly Row[] = [0, 1, 2].map((place) => ['b.csv', place, 'star']);

  test('has the labeled records of a file that was lost', async () => {
    const inputs = [
      { name: 'a.csv', output: softmax(0, 0, 1) },
      { name: 'b.csv', error: 'model-error' },
    ];
    const found = await funnel(inputs, LINES, [['a.csv', 0, 'star'], ...three]);
    expect(found.counts).toEqual([4, 4, 4, 1, 1]);
    expect(found.errors).toEqual([['model-error', 3]]);
    expect(found.failures).toHaveLength(1);
  });

  test('has the labeled records that an output lacks', async () => {
    const found = await funnel(
      [{ name: 'b.csv', output: `${softmax(0, 0, 1)}\n${softmax(0, 1, 0)}` }],
      LINES,
      three,
    );
    expect(found.counts).toEqual([3, 3, 3, 2, 1]);
    expect(found.failures).toMatchObject([
      { reason: 'output-missing', detail: 'the output stops after 2 records' },
    ]);
  });

  test('says that nobody knows the records of a lost file whose labels are not in a file', async () => {
    const inputs = [
      { name: 'circle/a.csv', output: softmax(1, 0, 0) },
      { name: 'circle/b.csv', error: 'model-error' },
      { name: 'circle/c.csv', error: 'empty', size: 0 },
    ];
    const found = await funnel(inputs, { ...LINES, labels: { ...labels, truth: { from: 'folder' } } });
    expect(found.totals.uncounted).toBe(1);
    expect(found.counts).toEqual([2, 2, 2, 1, 1]);
  });
});
