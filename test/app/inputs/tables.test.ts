import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { indexTars } from '../../../src/app/inputs/index-tars.ts';
import { openOutputs } from '../../../src/app/outputs/open-outputs.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { readInputs, readInputsWithCopies } from '../../../src/app/records/inputs.ts';
import { neighborReader } from '../../../src/app/records/open-input.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { pairInputs } from '../../../src/app/report/pair-inputs.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { PlanRefused } from '../../../src/plan/refused.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { drive, PREFIX } from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const clock = () => NOW;
const UNPACKED = bucketLayout.unpacked(PARTS);
const TABLES = {
  ...PIPELINE,
  columns: { features: ['x', 'y'] },
  transform: { engine: 'lambda', contentType: 'text/csv' },
  labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'shape' } },
};
const JOBS = { ...TABLES, transform: { contentType: 'text/csv', bundle: 'never' } };
const ROWS = ['shape,y,x', 'circle,1,2', '', 'square,3', 'square,5,6', 'circle,1,2'].join('\r\n');
const place = (index: number) => String(index).padStart(9, '0');
const planOf = (store: MemoryObjectStore) => Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
const problemsOf = (store: MemoryObjectStore): unknown[] =>
  JSON.parse(store.text(bucketLayout.problems(PARTS))!).problems;

/** The inputs of the planned run by their names below the drop: what the model gets, and their label, or why they cannot be read. */
async function listed(store: MemoryObjectStore) {
  const inputs = await Array.fromAsync(readInputs(store, PARTS));
  const read = neighborReader(store, inputs);
  const found: Record<string, unknown> = {};
  for (const input of inputs) {
    const { name, label, defect } = input;
    found[name.slice(PREFIX.length)] = defect ?? [
      Buffer.from((await read(input)) ?? []).toString(),
      ...(label === undefined ? [] : [label]),
    ];
  }
  return found;
}

test('each row of a table is an input, and a row that cannot be read costs itself', async () => {
  const files = {
    'a.csv': ROWS,
    'b.csv.gz': gzipSync('y;x;shape\n"1";2;\n'),
    'c.jsonl': '{"x":1.50,"y":2}\n',
  };
  const store = await frozenFiles(files, { pipeline: TABLES });
  expect(await planRun({ run: PARTS }, { store, clock, settings: SETTINGS })).toEqual({
    status: 'index',
    tars: 3,
  });
  const { share } = JSON.parse(store.text(bucketLayout.tars(PARTS))!)[0];
  expect(share).toMatchObject({ what: 'table', mostRecords: 20_000_000 });
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 5 });
  expect(Object.entries(await listed(store))).toEqual([
    [`a.csv/${place(0)}`, ['2,1', 'circle']],
    [`a.csv/${place(1)}`, 'has 2 cells, and the first row has 3'],
    [`a.csv/${place(2)}`, ['6,5', 'square']],
    [`a.csv/${place(3)}`, ['2,1', 'circle']],
    [`b.csv.gz/${place(0)}`, ['2,1']],
    [`c.jsonl/${place(0)}`, ['1.50,2']],
  ]);
  expect(store.keys('staged/').map((key) => store.text(key))).toEqual([
    '2,1\n6,5\n2,1\n',
    '2,1\n',
    '1.50,2\n',
  ]);
  const { excluded, notes, labels } = planOf(store);
  expect(excluded).toMatchObject({ unreadable: 1 });
  expect(labels.check).toMatchObject({ inputs: 5, labeled: 3 });
  expect(notes.join('\n')).toContain('3 tables of the drop are opened: each of 6 records is an input');
  expect(notes.join('\n')).toContain(
    `1 of 6 inputs cannot be read, and errors.csv names each: "${PREFIX}a.csv, record 1 (line 4)" has 2 cells`,
  );
});

test('an id stays with its record and is never sent, and a column that nobody named is noted', async () => {
  const columns = { features: ['x', 'y'], id: 'who', ignore: ['ward'] };
  const files = {
    'a.csv': 'who,x,y,ward,note,shape\nP1,1,2,W,n,circle\nP2,1,2,W,n,circle\n',
    'b.jsonl': '{"x":1,"y":2,"note":3,"who":"P3","unit":"mm"}\n',
  };
  const store = await frozenFiles(files, { pipeline: { ...TABLES, columns } });
  await planWithTars(store);
  expect(await listed(store)).toEqual({
    [`a.csv/${place(0)}`]: ['1,2', 'circle'],
    [`a.csv/${place(1)}`]: ['1,2', 'circle'],
    [`b.jsonl/${place(0)}`]: ['1,2'],
  });
  const inputs = await Array.fromAsync(readInputs(store, PARTS));
  expect(inputs.map(({ record }) => record)).toEqual([
    { index: 0, line: 2, id: 'P1' },
    { index: 1, line: 3, id: 'P2' },
    { index: 0, line: 1, id: 'P3' },
  ]);
  expect(new Set(inputs.map(({ content }) => content)).size).toBe(3);
  expect(planOf(store).notes).toContain(
    'not sent, since columns of pipeline.json doesn\'t name them: "note" of 2 tables, "unit" of 1 table. ' +
      'columns.ignore lists what is known',
  );
});

test.each([
  [null, 20, 2, true],
  [null, 20, 1, false],
  [0.95, 400, 30, true],
  [0.95, 400, 19, false],
  // So few can't prove the bound: a note says so.
  [0.95, 20, 2, false],
])(
  'more defects than the gate can prove are refused before money: confidence %d, %d records, %d of them',
  async (confidence, records, defects, isRefused) => {
    const rows = Array.from({ length: records }, (_, at) => (at < records - defects ? `${at},1` : '7'));
    const store = await frozenFiles(
      { 'a.csv': `x,y\n${rows.join('\n')}\n` },
      { pipeline: { ...TABLES, gate: { maxErrorRate: 0.07, confidence } } },
    );
    if (!isRefused) return expect(await planWithTars(store)).toMatchObject({ status: 'planned' });
    await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
    const proven = confidence === null ? '' : ', which 400 can prove with at most 19 errors';
    expect(problemsOf(store)).toEqual([
      {
        file: 'pipeline.json',
        field: 'gate.maxErrorRate',
        value: '0.07',
        message:
          `allows 7%${proven}, and ${defects} of ${records} records cannot be read (${(100 * defects) / records}%): ` +
          `nothing was sent. The first: ${PREFIX}a.csv, record ${records - defects} (line ${records - defects + 2}) has ` +
          '1 cells, and the first row has 2',
      },
    ]);
  },
);

test.each([
  [
    'by the table and the place of the record',
    'filename,record,label\na.csv,0,square\na.csv,2,circle\nb.csv,0,circle\n',
  ],
  [
    'by the names of records',
    `key,label\na.csv/${place(0)},square\na.csv/${place(2)},circle\nb.csv/${place(0)},circle\n`,
  ],
])('a label file finds records %s', async (_, labelFile) => {
  const pipeline = { ...TABLES, labels: { ...PIPELINE.labels, truth: { from: 'file' } } };
  const store = await frozenFiles({ 'a.csv': ROWS, 'b.csv': 'x,y\n1,2\n' }, { pipeline });
  store.put(`${PREFIX}labels.csv`, labelFile);
  await planWithTars(store);
  const { labels } = planOf(store);
  expect(labels.check).toMatchObject({ inputs: 5, labeled: 3, noInput: { count: 0 } });
  expect(labels.reading?.from).toContain(', 3 rows');
});

test('each row of a Parquet table is an input, read in ranges', async () => {
  const columnData = [
    { name: 'shape', data: ['circle', null, 'square'], type: 'STRING' as const },
    { name: 'y', data: [2n ** 53n + 1n, null, 5n], type: 'INT64' as const },
    { name: 'x', data: [0.1, Number.NaN, 1e300], type: 'DOUBLE' as const },
  ];
  const bytes = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: [2, 1] }));
  const store = await frozenFiles({ 'a.csv': bytes }, { pipeline: TABLES });
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 3 });
  expect(await listed(store)).toEqual({
    [`a.csv/${place(0)}`]: ['0.1,9007199254740993', 'circle'],
    [`a.csv/${place(1)}`]: ['nan,'],
    [`a.csv/${place(2)}`]: ['1e+300,5', 'square'],
  });
  const transform = { ...TABLES.transform, contentType: 'application/json' };
  const json = await frozenFiles({ 'a.parquet': bytes }, { pipeline: { ...TABLES, transform } });
  await planWithTars(json);
  expect(await listed(json)).toMatchObject({ [`a.parquet/${place(1)}`]: ['[null,null]'] });

  const others = { 'a.parquet.gz': gzipSync(bytes), 'b.parquet': `PARE\0${'x'.repeat(99)}` };
  const refused = await frozenFiles(others, { pipeline: TABLES });
  await expect(planWithTars(refused)).rejects.toThrow(PlanRefused);
  expect(problemsOf(refused)).toMatchObject([
    { file: 'a.parquet.gz', message: 'is a Parquet table within gzip: unpack it' },
    { file: 'b.parquet', message: 'is an encrypted Parquet table: write it without encryption' },
  ]);
});

test('rows of Parquet that differ by their id only are different records', async () => {
  const columnData = [
    { name: 'who', data: ['P1', 'P2'], type: 'STRING' as const },
    { name: 'x', data: [1, 1], type: 'INT32' as const },
    { name: 'y', data: [2, 2], type: 'INT32' as const },
  ];
  const columns = { features: ['x', 'y'], id: 'who' };
  const bytes = Buffer.from(parquetWriteBuffer({ columnData }));
  const files = { 'a.parquet': bytes, 'b.csv': 'who,y,x\nP1,2,1\nP2,2,1\n' };
  const store = await frozenFiles(files, { pipeline: { ...TABLES, columns } });
  await planWithTars(store);
  const contents = await Array.fromAsync(readInputs(store, PARTS), ({ content }) => content);
  expect(contents.slice(0, 2)).toEqual(contents.slice(2));
  expect(new Set(contents).size).toBe(2);
});

test('an empty text is a record that cannot be sent as a line, and one that a bundle holds', async () => {
  const files = { 'a.csv': 'x,shape\ngood,circle\n,square\n" ",square\n' };
  const columns = { features: ['x'] };
  const lines = await frozenFiles(files, { pipeline: { ...JOBS, columns } });
  await planWithTars(lines);
  const empty = expect.stringContaining('is empty, and SageMaker skips an empty line');
  expect(Object.values(await listed(lines))).toEqual([['good', 'circle'], empty, empty]);
  const transform = { ...JOBS.transform, bundle: 'auto' };
  const bundles = await frozenFiles(files, { pipeline: { ...JOBS, transform, columns } });
  await planWithTars(bundles);
  expect(Object.values(await listed(bundles))).toEqual([
    ['good', 'circle'],
    ['', 'square'],
    [' ', 'square'],
  ]);
});

test('equal rows are no copies of each other, and the rows of a copied file are copies', async () => {
  const table = 'x,y\n1,2\n1,2\n';
  const store = await frozenFiles({ 'a.csv': table, 'b.csv': table }, { pipeline: TABLES });
  await planWithTars(store);
  const copies = await Array.fromAsync(readInputsWithCopies(store, PARTS), ({ name, copy }) => [
    name.slice(PREFIX.length),
    copy === true,
  ]);
  expect(copies).toEqual([
    [`a.csv/${place(0)}`, false],
    [`a.csv/${place(1)}`, false],
    [`b.csv/${place(0)}`, true],
    [`b.csv/${place(1)}`, true],
  ]);
});

test('many records are staged together, and read together', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => `${at},1,circle\n`);
  const store = await frozenFiles({ 'a.csv': `x,y,shape\n${rows.join('')}` }, { pipeline: TABLES });
  await planWithTars(store);
  expect(store.keys('staged/')).toEqual([0, 1, 2].map((part) => `${UNPACKED}a.csv/part-${place(part)}`));
  const before = store.requests.length;
  const read = Object.values(await listed(store));
  expect(read).toEqual(rows.map((_, at) => [`${at},1`, 'circle']));
  expect(store.requests.slice(before).filter(({ key }) => key?.startsWith('staged/') === true)).toHaveLength(
    3,
  );
});

/** The lines that a job is sent, as SageMaker answers them: an object with a line that is refused has no answer. */
const linesOf = (store: MemoryObjectStore, name: string) =>
  store
    .text(bucketLayout.bundles(PARTS) + name)!
    .split('\n')
    .slice(0, -1);
const answering =
  (store: MemoryObjectStore, isBad: (line: string) => boolean, toAnswer = (_line: string) => '0.9,0.1') =>
  (inputs: string[]) => {
    const write = inputs.filter((name) => !linesOf(store, name).some(isBad));
    const status = write.length < inputs.length ? ('Failed' as const) : ('Completed' as const);
    const body = (name: string) =>
      linesOf(store, name)
        .map((line) => `${toAnswer(line)}\n`)
        .join('');
    return { write, status, body };
  };

async function reportOf(store: MemoryObjectStore) {
  const shards = JSON.parse(store.text(bucketLayout.shards(PARTS))!) as { shard: number }[];
  for (const shard of shards)
    await foldPredictions({ ...shard, run: PARTS } as never, { store, imageFacts, clock });
  await writeReport(
    { run: PARTS, startedAt: NOW.toISOString() },
    { store, clock, logs: memoryEngineLogs(), thumbnail },
  );
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!));
}

test('without bundles records are lines of objects, and a run counts records', async () => {
  const gate = { maxErrorRate: 0.4, minAccuracy: 0.5, confidence: null };
  const rows = `${ROWS}\r\n"cir\ncle",1,2\r\ncircle,"1\n",2\r\n`;
  const store = await frozenFiles({ 'a.csv': rows }, { pipeline: { ...JOBS, gate } });
  await planWithTars(store);
  expect(store.keys(UNPACKED)).toEqual([`${UNPACKED}a.csv/part-${place(0)}`]);
  const sagemaker = memorySageMaker({ clock });
  const { jobs } = await drive(
    { store, sagemaker, clock },
    answering(store, () => false),
  );
  expect(jobs.map(({ inputs }) => inputs)).toEqual([['parts/1/000000']]);
  expect(linesOf(store, 'parts/1/000000')).toEqual(['2,1', '6,5', '2,1', '2,1']);
  expect([...sagemaker.jobs.values()][0]!.spec).toMatchObject({
    contentType: 'text/csv',
    splitType: 'Line',
    assembleWith: 'Line',
    batchStrategy: 'SingleRecord',
  });
  const plan = planOf(store);
  expect(plan.transform.columns).toEqual({
    features: ['x', 'y'],
    id: null,
    ignore: [],
    delimiter: null,
    form: 'list',
  });
  expect(plan.model.served).toBeNull();
  expect(plan.notes.join('\n')).toContain('are sent as lines of objects, up to 1,000 in each');
  expect((await listed(store))[`a.csv/${place(5)}`]).toContain('has a line break in a cell');
  const report = await reportOf(store);
  expect(report).toMatchObject({ total: 6, errors: 2, correct: 2 });
  expect(report.mistakes.map(({ recordIndex, line }) => [recordIndex, line])).toEqual([
    [2, 5],
    [4, 7],
  ]);
  expect(report.failures[0]).toEqual({
    key: `${PREFIX}a.csv`,
    recordIndex: 1,
    line: 4,
    reason: 'unreadable',
    detail: 'has 2 cells, and the first row has 3',
  });
});

test.each([
  // At once one by one, or in pairs first.
  [1_900, [2, 1_900]],
  [4_100, [5, 1_500, 6]],
])('bad ones of %i records cost themselves, in two jobs more at the most', async (records, sizes) => {
  const bad = [3, 1_500, 2_500].filter((at) => at < records);
  const rows = Array.from({ length: records }, (_, at) => `${bad.includes(at) ? 'bad' : at},1,circle\n`);
  const store = await frozenFiles({ 'a.csv': `x,y,shape\n${rows.join('')}` }, { pipeline: JOBS });
  await planWithTars(store);
  const { answer, jobs } = await drive(
    { store, sagemaker: memorySageMaker({ clock }), clock },
    answering(
      store,
      (line) => line.startsWith('bad'),
      (line) => (line.startsWith('7,') ? '0.1,0.9' : '0.9,0.1'),
    ),
  );
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual(sizes);
  expect(answer).toMatchObject({ next: 'fold', inputs: records, missing: bad.length });
  // The answer of each is the one for its own line.
  expect(await reportOf(store)).toMatchObject({ errors: bad.length, correct: records - bad.length - 1 });
});

/** A log in which every job says the same of each object that it was sent. */
const refusing = (store: MemoryObjectStore, status: number) => {
  const said = (): string[] =>
    store
      .keys(bucketLayout.bundles(PARTS))
      .map((key) => `t:[sagemaker logs]: bucket/${key}: ClientError: ${status}`);
  return memoryEngineLogs(new Proxy({}, { get: () => ({ 'i-1/data-log': said() }) }));
};
const tableOf = (rows: readonly string[]) =>
  frozenFiles({ 'a.csv': `x,y,shape\n${rows.join('\n')}\n` }, { pipeline: JOBS });

test('after a job in which each object was refused, 64 records from all over the run go alone', async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `${at % 500 === 250 ? 'bad' : at},1,circle`);
  const store = await tableOf(rows);
  await planWithTars(store);
  const services = { store, sagemaker: memorySageMaker({ clock }), clock, logs: refusing(store, 400) };
  const sizes: number[] = [];
  const { answer, jobs } = await drive(services, (inputs) => {
    sizes.push(inputs.flatMap((name) => linesOf(store, name)).length);
    return answering(store, (line) => line.startsWith('bad'))(inputs);
  });
  // Two of the 64 are bad. The records next to a bad one have their answers from the last job.
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([5, 64, 1_646, 30]);
  expect(sizes).toEqual([5_000, 64, 4_938, 30]);
  expect(answer).toMatchObject({ next: 'fold', inputs: 5_000, missing: 10 });
});

test('if these are refused, too, the run ends with the words of the container', async () => {
  const store = await tableOf(Array.from({ length: 5_000 }, () => 'bad,1,circle'));
  await planWithTars(store);
  const sagemaker = memorySageMaker({ clock });
  const ended = drive(
    { store, sagemaker, clock, logs: refusing(store, 415) },
    answering(store, () => true),
  );
  await expect(ended).rejects.toMatchObject({
    name: 'NothingPredicted',
    message: expect.stringContaining(
      'then each of 64 inputs from all over the run, sent alone (the container answered 415)',
    ),
  });
  expect(sagemaker.jobs.size).toBe(2);
});

test('answers that are indented are read by place, too', async () => {
  const store = await frozenFiles(
    { 'a.csv': 'x,y,shape\n1,2,circle\n3,4,square\n5,6,circle\n' },
    { pipeline: JOBS },
  );
  await planWithTars(store);
  const indented = (line: string) =>
    `{\n    "predictions": [[0.${line.startsWith('3') ? 1 : 9}, 0.5]\n    ]\n}`;
  const { jobs } = await drive(
    { store, sagemaker: memorySageMaker({ clock }), clock },
    answering(store, () => false, indented),
  );
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([1]);
  expect(await reportOf(store)).toMatchObject({ errors: 0, correct: 3 });
});

test('an object with another number of answers than records has none, and a record alone may have any', async () => {
  const store = await frozenFiles({ 'a.csv': 'x,y\n1,2\n3,4\n5,6\n' }, { pipeline: JOBS });
  await planWithTars(store);
  const { answer, jobs } = await drive({ store, sagemaker: memorySageMaker({ clock }), clock }, (inputs) => ({
    write: inputs,
    status: 'Completed' as const,
    body: '{\n"predictions": [[0.9, 0.1]]}\n',
  }));
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([1, 3]);
  expect(answer).toMatchObject({ next: 'fold', missing: 0 });
  const read = openOutputs(store, PARTS, planOf(store));
  const [first] = await Array.fromAsync(read.lookUp([`${PREFIX}a.csv/${place(0)}`]));
  expect(Buffer.from((await read.read(first![1]?.key))!).toString()).toContain('predictions');
});

test('a corrected label leaves a record paired with that of the baseline; another feature does not', async () => {
  const table = (...rows: string[]) => ({ 'a.csv': ['x,y,shape', ...rows, ''].join('\n') });
  const before = await frozenFiles(table('1,2,circle', '3,4,square', '5,6,square', '7,circle'), {
    pipeline: JOBS,
  });
  await planWithTars(before);
  await drive({ store: before, sagemaker: memorySageMaker({ clock }), clock }, (inputs) => ({
    write: inputs,
    status: 'Completed',
    body: '0.9,0.1\n',
  }));
  const shards = JSON.parse(before.text(bucketLayout.shards(PARTS))!) as { shard: number }[];
  for (const shard of shards)
    await foldPredictions({ ...shard, run: PARTS } as never, { store: before, imageFacts, clock });
  const after = await frozenFiles(table('1,2,square', '3,9,square', '5,6,', '7,circle'), { pipeline: JOBS });
  await planWithTars(after);
  const entries = await Array.fromAsync(readInputs(after, PARTS));
  const counts = { paired: 0, changed: 0, added: 0 };
  const pairs = await Array.fromAsync(pairInputs(before, PARTS, { entries, prefix: PREFIX }, counts));
  expect(counts).toEqual({ paired: 3, changed: 1, added: 0 });
  expect(pairs.flatMap(({ pairs }) => [...pairs.values()].map(({ label }) => label))).toEqual([
    ...['square', undefined, undefined],
  ]);
});

test.each([
  ['a.csv', 'x,Y\n1,2\n', 'must have the column "y" of columns.features, has "x", "Y": did you mean "Y"?'],
  ['a.csv', 'x,y\n1,"2\n', 'has a quote in line 2 that never closes'],
  ['a.csv', 'PK\u0003\u0004', 'is a ZIP archive: unpack it'],
  ['a.csv', 'GIF89a', 'is a GIF image: this pipeline opens CSV, JSON Lines, JSON lists and Parquet'],
  ['a.csv.gz', gzipSync('x,y\n1,2\n').subarray(0, -9), 'cannot be unzipped to its end'],
  ['a.csv.gz', gzipSync('%PDF-1.7'), 'is a PDF document'],
])('a table that cannot be opened is refused before money is spent: %s %j', async (file, table, message) => {
  const store = await frozenFiles({ [file]: table, 'b.csv': 'x,y\n1,2\n' }, { pipeline: TABLES });
  await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
  expect(problemsOf(store)).toMatchObject([{ file, field: '', message: expect.stringContaining(message) }]);
});

test('a table is no kind that is refused: UTF-16, and fields that a notebook has, too', async () => {
  const store = await frozenFiles(
    {
      'a.csv': Buffer.from('\uFEFFx\ty\r\n1\t2\r\n', 'utf16le'),
      'b.jsonl': '{"cell_type":"T cell","x":3,"y":4}\n{"cell_type":"B cell","x":5,"y":6}\n',
      'c.json': '{"x":7,"y":8}',
    },
    { pipeline: TABLES },
  );
  await planWithTars(store);
  expect(await listed(store)).toEqual({
    [`a.csv/${place(0)}`]: ['1,2'],
    [`b.jsonl/${place(0)}`]: ['3,4'],
    [`b.jsonl/${place(1)}`]: ['5,6'],
    [`c.json/${place(0)}`]: ['7,8'],
  });
});

test('a table that takes longer than a function has is opened by several calls, and listed in one', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => `${at},2,circle\n`);
  const store = await frozenFiles({ 'a.csv': `x,y,shape\n${rows.join('')}` }, { pipeline: TABLES });
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  const [item] = JSON.parse(store.text(bucketLayout.tars(PARTS))!) as unknown[];
  const call = () => indexTars(indexTars.input.parse(item), { store, leftMs: () => 179_000 });
  const calls = [await call(), await call(), await call()];
  expect(calls.map(({ isDone }) => isDone)).toEqual([false, false, true]);
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 2_500 });
  expect(Object.values(await listed(store))).toEqual(rows.map((_, at) => [`${at},2`, 'circle']));
});

test('a tar and an empty table are told by name, and cost no other table', async () => {
  const store = await frozenFiles(
    { 'a.tar': 'x', 'b.csv': 'x,y\n', 'c.csv': 'x,y\n1,2\n' },
    { pipeline: TABLES },
  );
  await planWithTars(store);
  expect(await listed(store)).toEqual({
    'a.tar': 'is a tar, and this pipeline opens tables: drop the tables that are in it',
    'b.csv': 'has no record',
    [`c.csv/${place(0)}`]: ['1,2'],
  });
});

test.each([
  [{ columns: null }, 'labels.truth.from', 'needs columns'],
  [{ transform: { contentType: 'image/png' } }, 'transform.contentType', 'must be one of text/csv'],
  [{ transform: { ...JOBS.transform, splitType: 'Line' } }, 'transform.splitType', 'leave it out'],
  [
    { labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'x' } } },
    'labels.truth.column',
    'the model would see the label',
  ],
  [
    { labels: { ...PIPELINE.labels, truth: { from: 'column', column: 0 } } },
    'labels.truth.column',
    'must be a title or a place',
  ],
  [{ columns: { features: ['x', 'y'], id: 'y' } }, 'columns.id', 'an id is never sent'],
  [
    { columns: { features: ['x'], ignore: ['y', 'x'] } },
    'columns.ignore',
    'must be none of columns.features: what is ignored is not sent',
  ],
  [{ columns: { features: ['x', 0] } }, 'columns.features', 'must be all titles, or all places from 0'],
  [{ columns: { features: ['x', 'x'] } }, 'columns.features', 'must name each column once'],
  // Titles are compared without the blanks around them.
  [{ columns: { features: ['x', ' x'] } }, 'columns.features', 'must name each column once'],
  [
    { labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'x ' } } },
    'labels.truth.column',
    'the model would see the label',
  ],
])('settings that contradict columns are refused: %j', async (change, field, message) => {
  const store = await frozenFiles({ 'a.csv': 'x,y\n1,2\n' }, { pipeline: { ...JOBS, ...change } });
  await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
  expect(problemsOf(store)).toContainEqual(
    expect.objectContaining({ field, message: expect.stringContaining(message) }),
  );
});

const LINES = {
  ...PIPELINE,
  transform: { engine: 'lambda', contentType: 'text/csv', splitType: 'Line', inputFilter: '$[1:]' },
  labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$[0]' } },
};
const JSON_LINES = {
  ...LINES,
  transform: { ...LINES.transform, contentType: 'application/jsonlines', inputFilter: '$.x' },
  labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$.shape' } },
};

test('without columns each line is an input, what is sent of it is filtered, and its label is read from it', async () => {
  const files = {
    'a.csv': '\uFEFFcircle,1.50,"a,b"\r\n\r\n,3,4\n"square",5,"6\n7"',
    'b.csv.gz': gzipSync('circle,1,2\ncircle\n'),
    'c.tar': 'x',
  };
  const store = await frozenFiles(files, { pipeline: LINES });
  await planWithTars(store);
  expect(Object.entries(await listed(store))).toEqual([
    [`a.csv/${place(0)}`, ['1.50,"a,b"', 'circle']],
    [`a.csv/${place(1)}`, ['3,4']],
    [`a.csv/${place(2)}`, ['5,"6\n7"', 'square']],
    [`b.csv.gz/${place(0)}`, ['1,2', 'circle']],
    [`b.csv.gz/${place(1)}`, 'has nothing at transform.inputFilter $[1:]'],
    ['c.tar', 'is a tar, and this pipeline opens tables: drop the tables that are in it'],
  ]);
  expect(planOf(store).labels.check).toMatchObject({ inputs: 4, labeled: 3, isWhole: true });
});

test('lines of JSON are documents, of which one that is none costs itself', async () => {
  const lines =
    '{"x":[1.50,2],"shape":"circle"}\n\n{"x":\n{"y":1}\n{"x":{"z":NaN},"shape":"square"}\n[1][2]\n';
  const store = await frozenFiles({ 'a.jsonl': lines }, { pipeline: JSON_LINES });
  await planWithTars(store);
  expect(Object.values(await listed(store))).toEqual([
    ['[1.5,2]', 'circle'],
    'is no JSON document',
    'has nothing at transform.inputFilter $.x',
    ['{"z":null}', 'square'],
    'is no JSON document',
  ]);
  const bare = {
    ...JSON_LINES,
    transform: { ...JSON_LINES.transform, inputFilter: null },
    labels: PIPELINE.labels,
  };
  const whole = await frozenFiles({ 'a.jsonl': ' {"x": 1.50}\r\n{"x":NaN}' }, { pipeline: bare });
  await planWithTars(whole);
  expect(Object.values(await listed(whole))).toEqual([[' {"x": 1.50}'], ['{"x":NaN}']]);
});

test('a file that is one JSON document over many lines is one record, whatever way it is sent', async () => {
  const document = (x: number, shape: string) =>
    `\uFEFF${JSON.stringify({ x: { z: [x, 'a  b'] }, meta: { shape } }, null, 2)}\r\n`;
  const pipeline = {
    ...JSON_LINES,
    transform: { contentType: 'application/json', splitType: 'Line', bundle: 'never', inputFilter: '$.x' },
    labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$.meta.shape' } },
  };
  const files = { 'a.json': document(1, 'circle'), 'b.json.gz': gzipSync(document(2, 'square')) };
  const store = await frozenFiles(files, { pipeline });
  await planWithTars(store);
  expect(Object.entries(await listed(store))).toEqual([
    [`a.json/${place(0)}`, ['{"z":[1,"a  b"]}', 'circle']],
    [`b.json.gz/${place(0)}`, ['{"z":[2,"a  b"]}', 'square']],
  ]);
  const bare = { ...pipeline, transform: { ...pipeline.transform, inputFilter: null } };
  const whole = await frozenFiles(files, { pipeline: bare });
  await planWithTars(whole);
  expect((await listed(whole))[`a.json/${place(0)}`]).toEqual([
    '{ "x": { "z": [ 1, "a  b" ] }, "meta": { "shape": "circle" } }',
    'circle',
  ]);
  const columns = { columns: { features: ['x'] }, transform: { contentType: 'application/json' } };
  const table = await frozenFiles(files, { pipeline: { ...TABLES, ...columns } });
  await planWithTars(table);
  expect(Object.values(await listed(table))).toEqual([
    ['{ "z": [ 1, "a  b" ] }'],
    ['{ "z": [ 2, "a  b" ] }'],
  ]);
});

test('lines of another type are sent as they are, and labels are those of the folder of their file', async () => {
  const pipeline = {
    ...PIPELINE,
    transform: { engine: 'lambda', contentType: 'text/plain', splitType: 'Line' },
    labels: { ...PIPELINE.labels, truth: { from: 'folder' } },
  };
  const store = await frozenFiles({ 'circle/a.txt': 'a "b\nc' }, { pipeline });
  await planWithTars(store);
  expect(Object.values(await listed(store))).toEqual([['a "b'], ['c']]);
  expect(planOf(store).labels.check).toMatchObject({ inputs: 2, labeled: 2, noClass: { count: 0 } });
});

test('lines are sent as they were opened, each a request', async () => {
  const transform = {
    ...LINES.transform,
    engine: 'sagemaker',
    batchStrategy: 'MultiRecord',
    bundle: 'never',
  };
  const store = await frozenFiles(
    { 'a.csv': 'circle,1,2\nsquare,3,4\n' },
    { pipeline: { ...LINES, transform } },
  );
  await planWithTars(store);
  const sagemaker = memorySageMaker({ clock });
  const { jobs } = await drive(
    { store, sagemaker, clock },
    answering(store, () => false),
  );
  expect(jobs.map(({ inputs }) => inputs)).toEqual([['parts/1/000000']]);
  expect(linesOf(store, 'parts/1/000000')).toEqual(['1,2', '3,4']);
  expect([...sagemaker.jobs.values()].map(({ spec }) => spec)).toMatchObject([
    { splitType: 'Line', assembleWith: 'Line', batchStrategy: 'SingleRecord' },
  ]);
  expect(planOf(store)).toMatchObject({
    transform: { splitType: 'Line', inputFilter: '$[1:]', columns: null },
    jobs: [{ engine: { maxPayloadInMB: 6 } }],
  });
});

test.each([
  ['x,y\n1,2\n', LINES, 'begins with a row of titles ("x", "y"), which would be predicted as a record'],
  ['label,y\ncircle,b\n', LINES, 'begins with a row of titles ("label", "y")'],
  ['0,1,2\n0.5,1.5,circle\n', LINES, 'begins with a row of titles ("0", "1", "2")'],
  ['circle,"1\n', LINES, 'has a quote in line 1 that never closes'],
  ['[{"x":1},{"x":2}]', JSON_LINES, 'is one JSON list'],
  ['{\n "x": 1,\n', JSON_LINES, "begins as a JSON document of many lines, and isn't one"],
  ['{\n "x": 1\n}', LINES, 'is a JSON document, and transform.splitType'],
])(
  'a file that cannot be read by lines is refused before money is spent: %j',
  async (body, pipeline, message) => {
    const store = await frozenFiles({ a: body }, { pipeline });
    await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
    expect(JSON.stringify(problemsOf(store))).toContain(JSON.stringify(message).slice(1, -1));
  },
);

test.each([
  [
    { transform: { contentType: 'image/png', splitType: 'Line', inputFilter: '$[0]' } },
    'transform.contentType',
    'must be one of text/csv',
  ],
  [
    { transform: { contentType: 'text/csv', inputFilter: '$[0]' } },
    'transform.splitType',
    'must be "Line", a record a line or JSON document, with',
  ],
  [
    { transform: { ...LINES.transform, inputFilter: '$[1:2]' } },
    'transform.inputFilter',
    'must have no slice with an end',
  ],
  [
    { labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$' } } },
    'labels.truth.path',
    'must lead to one value',
  ],
  [
    { labels: { ...PIPELINE.labels, truth: { from: 'record', path: '$.x' } } },
    'labels.truth.path',
    'must be the place of a cell',
  ],
  [
    { labels: { ...PIPELINE.labels, truth: { from: 'record', path: 'x' } } },
    'labels.truth.path',
    'must start with $',
  ],
])('paths that lead to nothing are refused: %j', async (change, field, message) => {
  const store = await frozenFiles({ 'a.csv': 'circle,1,2\n' }, { pipeline: { ...LINES, ...change } });
  await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
  expect(problemsOf(store)).toContainEqual(
    expect.objectContaining({ field, message: expect.stringContaining(message) }),
  );
});
