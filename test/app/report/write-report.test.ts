import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { Receipt } from '../../../src/report/receipt.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { planWith, reconciledRun, RUN, runKeys } from '../../support/report-run.ts';

const clock = () => new Date('2026-11-21T10:05:00.000Z');
const logs = memoryEngineLogs();
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const startedAt = '2026-11-21T10:00:00.000Z';
const softmax = (...scores: number[]) => JSON.stringify({ predictions: [scores] });

test('a run of two shards becomes one report', async () => {
  const { store, shards, run } = reconciledRun(
    [
      { name: '1-circle.png', output: softmax(0.9, 0.05, 0.05) },
      { name: '2-circle.png', output: softmax(0.2, 0.7, 0.1) },
      { name: '3-square.png', output: softmax(0.1, 0.8, 0.1) },
      { name: '4-star.png', error: 'model-error' },
      { name: '5-star.png', output: 'not json' },
    ],
    { perShard: 2 },
  );
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });

  const answer = await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });

  expect(answer).toEqual({
    status: 'completed-with-errors',
    gate: 'none',
    report: bucketLayout.reportJson(run),
  });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({
    total: 5,
    records: 3,
    correct: 2,
    accuracy: 2 / 3,
    errors: 2,
    seconds: 300,
    costUsd: 0,
  });
  expect(store.text(bucketLayout.summary(run))).toContain('Accuracy: 66.7%');
  expect(report.quality?.topK.map(({ k, accuracy }) => [k, accuracy])).toEqual([
    [1, 2 / 3],
    [2, 1],
  ]);
  expect(report.confusion).toEqual([
    [0, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
  ]);
  expect(store.text(bucketLayout.errors(run))).toBe(
    'key,record_index,line,id,reason,detail\r\n' +
      'incoming/shapes/monday/4-star.png,,,,model-error,told by the test\r\n' +
      'incoming/shapes/monday/5-star.png,,,,unreadable-output,"the output is not JSON at character 0, near ""not json"""\r\n',
  );
});

test('a refused run lists its problems', async () => {
  const { store, run } = reconciledRun([]);
  store.put(
    `${bucketLayout.run(run)}problems.json`,
    JSON.stringify({
      schema: 1,
      problems: [
        { file: 'pipeline.json', field: 'labels', value: 3, message: 'no' },
        { file: 'pipeline.json', field: 'gate', value: 'x', message: 'neither' },
        { file: 'model.tar.gz', field: '', value: null, message: 'is not there' },
      ],
    }),
  );
  const failure = {
    error: 'PlanRefused',
    cause: JSON.stringify({ errorType: 'PlanRefused', errorMessage: 'no', trace: [] }),
  };
  const answer = await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  expect(answer.status).toBe('refused');
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failure?.cause).toBe(
    'pipeline.json: labels no\npipeline.json: gate neither\nmodel.tar.gz is not there',
  );
  expect(report.problems).toEqual([
    { file: 'pipeline.json', field: 'labels', value: '3', message: 'no' },
    { file: 'pipeline.json', field: 'gate', value: 'x', message: 'neither' },
    { file: 'model.tar.gz', field: '', value: 'null', message: 'is not there' },
  ]);
});

test('a refused run without a list of its problems has its cause', async () => {
  const { store, run } = reconciledRun([]);
  const failure = { error: 'PlanRefused', cause: 'no' };
  await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({ status: 'refused', failure: { cause: 'no' }, problems: [] });
});

test('the cause of a broken shard is reported, not only that one broke', async () => {
  const { store, shards, run } = reconciledRun([
    { name: '1-circle.png', output: softmax(0.1, 0.2, 0.3, 0.4) },
  ]);
  await expect(foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) })).rejects.toThrow(
    'has 4',
  );
  const failure = { error: 'States.ExceedToleratedFailureThreshold', cause: 'A child failed.' };
  const answer = await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  expect(answer.status).toBe('failed');
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failure).toMatchObject({
    error: 'ClassCountMismatch',
    cause: expect.stringContaining('has 4'),
  });
  // Its inputs are not counted as ones without a prediction.
  expect(report).toMatchObject({ errors: 0, errorsByReason: {}, failures: [] });
  expect(store.text(bucketLayout.errors(run))).toBeUndefined();
});

test('a run without any prediction names every input all the same', async () => {
  const { store, run } = reconciledRun([
    { name: '1.png', error: 'model-error' },
    { name: '2.png', error: 'empty' },
  ]);
  const failure = { error: 'NothingPredicted', cause: 'The model answered for no input.' };
  await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({
    status: 'failed',
    errors: 2,
    errorsByReason: { 'model-error': 1, empty: 1 },
  });
  expect(store.text(bucketLayout.errors(run))?.split('\r\n')).toHaveLength(4);
});

test.each([
  ['folded', undefined],
  ['never folded', { error: 'NothingPredicted', cause: 'none of 201 inputs has a prediction' }],
])('of a run that was %s the report shows 200 failures, and errors.csv has all', async (_, failure) => {
  const names = Array.from({ length: 201 }, (_, at) => `${String(at).padStart(3, '0')}.png`);
  const { store, shards, run } = reconciledRun(
    names.map((name) => ({ name, error: 'model-error' })),
    { perShard: 150 },
  );
  if (failure === undefined)
    for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  await writeReport(
    { run: runKeys(), startedAt, ...(failure && { failure }) },
    { store, clock, logs, thumbnail },
  );
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({ status: 'failed', total: failure ? 0 : 201, errors: 201, errorRate: 1 });
  expect(report.failures.map(({ key }) => key.slice(-7))).toEqual(names.slice(0, 200));
  const [header, ...lines] = store.text(bucketLayout.errors(run))!.trimEnd().split('\r\n');
  expect(header).toBe('key,record_index,line,id,reason,detail');
  expect(lines.map((line) => line.split(',')[0])).toEqual(
    names.map((name) => `incoming/shapes/monday/${name}`),
  );
  expect(store.text(bucketLayout.athenaTable(run))).toBeUndefined();
  expect(store.text(bucketLayout.confusionMatrix(run))).toBeUndefined();
});

test('a run that ended before its inputs were reconciled has an errors.csv without lines', async () => {
  const { store, run } = reconciledRun([]);
  store.remove(bucketLayout.reconciled(run));
  const failure = { error: 'NothingPredicted', cause: 'none' };
  await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  expect(store.text(bucketLayout.errors(run))).toBe('key,record_index,line,id,reason,detail\r\n');
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({ errors: 0, errorRate: 0, failure: { cause: 'none' } });
});

test('a step that AWS has ended without a word is named, with what to do', async () => {
  const { store, run } = reconciledRun([]);
  store.remove(bucketLayout.reconciled(run));
  const failure = { error: 'States.Timeout', cause: '', step: 'ReconcileOutputs' };
  await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failure).toEqual({
    error: 'States.Timeout',
    cause: 'the step ReconcileOutputs had no answer within its time limit',
    nextStep: expect.stringMatching(/^Rerun\./),
  });
});

test('a run that failed has the notes, the settings and the cost of its plan and jobs, and no verdict', async () => {
  const engine = { ...planWith().engine, instanceTypes: ['ml.g4dn.xlarge', 'ml.m5.xlarge'] };
  const { store, run, plan } = reconciledRun([], { plan: { notes: ['of the plan'], engine } });
  const job = jobRecord({ jobName: 'job-1', status: 'Failed', costUsd: 0.25, startedAt });
  store.put(bucketLayout.job(run, 1), JSON.stringify(job));
  const failure = { error: 'InstanceCapacity', cause: 'no instance left' };
  const late = () => new Date('2026-11-21T09:59:00.000Z');
  const answer = await writeReport(
    { run: runKeys(), startedAt, failure },
    { store, clock: late, logs, thumbnail },
  );
  expect(answer).toMatchObject({ status: 'failed', gate: 'none' });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({
    // A clock that is behind makes no negative time.
    seconds: 0,
    costUsd: 0.25,
    notes: ['of the plan'],
    problems: [],
    comparison: null,
    gate: { verdict: 'none', explanation: expect.stringContaining('No gate was judged') },
    failure: { ...failure, nextStep: expect.stringContaining('Rerun later') },
    setup: {
      modelName: plan.model.name,
      modelSha256: plan.model.sha256,
      imageUri: plan.model.imageUri,
      input: 's3://bucket/incoming/shapes/monday/',
      quoteUsd: 0.02,
      transform: {
        engine: 'sagemaker',
        instanceTypes: 'ml.g4dn.xlarge, ml.m5.xlarge',
        splitType: 'None',
        maxPayloadInMB: 6,
      },
    },
    jobs: [{ name: 'job-1', costUsd: 0.25 }],
  });
  for (const unset of ['inputFilter', 'amiVersion', 'environment'])
    expect(report.setup?.transform).not.toHaveProperty(unset);
});

test('a model with a class before the first is judged by the classes alone', async () => {
  const labels = { ...planWith().labels, classOffset: -1 };
  const output = '{"predictions":[{"classes":3,"probabilities":[0,0.1,0.2,0.7]}]}';
  const { store, shards } = reconciledRun([{ name: '1-star.png', output }], { plan: { labels } });
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  const answer = await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  expect(answer.status).toBe('completed');
});

test('a run that failed before it was counted has the number of its frozen inputs', async () => {
  const { store, run } = reconciledRun([]);
  const frozen = toAbandoned('died', { bucket: 'bucket', prefix: 'incoming/shapes/monday/' }, clock());
  store.put(bucketLayout.frozen(run), JSON.stringify({ ...frozen, objects: 7 }));
  const failure = { error: 'InstanceCapacity', cause: 'none left' };
  await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  expect(Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!))).toMatchObject({
    total: 7,
    records: 0,
  });
});

test('the first run of a pipeline passes a gate that bounds the loss against the last that passed', async () => {
  const report = {
    topK: [1],
    images: true,
    slices: [],
    clusters: null,
    baseline: { asked: 'last-passed', run: null },
  };
  const { store, shards, run } = reconciledRun([{ name: '1-circle.png', output: softmax(0, 1, 0) }], {
    plan: { gate: { maxAccuracyDrop: 0, minInputs: 1, minLabeled: null, confidence: null }, report },
  });
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  const answer = await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  expect(answer).toMatchObject({ status: 'completed', gate: 'passed' });
  const written = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(written.gate.explanation).toContain('no run of the pipeline has passed before it to compare with');
  expect(written.comparison).toBeNull();
  expect(JSON.parse(store.text(store.keys('index/')[0]!)!)).toMatchObject({
    gate: 'passed',
    gateIsSet: true,
    accuracy: 0,
  });
});

test('the report tells what was sent of each line', async () => {
  const transform = { ...planWith().transform, inputFilter: '$[1:]' };
  const { store, run } = reconciledRun([], { plan: { transform } });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.setup?.transform).toMatchObject({ inputFilter: '$[1:]' });
});

test('receipt and Athena table lie beside the report', async () => {
  const { store, shards, run } = reconciledRun([{ name: '1-circle.png', output: softmax(1, 0, 0) }]);
  store.put(bucketLayout.manifest(run), 'the manifest');
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const receipt = Receipt.parse(JSON.parse(store.text(bucketLayout.receipt(run))!));
  expect(receipt).toMatchObject({ run: RUN, figures: { total: 1, correct: 1 }, manifest: { sizeBytes: 12 } });
  expect(receipt.plan).toEqual(JSON.parse(store.text(bucketLayout.plan(run))!));
  expect(store.text(bucketLayout.athenaTable(run))).toContain(
    "LOCATION 's3://bucket/runs/shapes/monday/000001/rows/';",
  );
});

test('an empty drop is a report too', async () => {
  const store = memoryObjectStore();
  const answer = await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  expect(answer.status).toBe('empty');
  const receipt = Receipt.parse(JSON.parse(store.text(bucketLayout.receipt(runKeys()))!));
  expect(receipt).toMatchObject({
    status: 'empty',
    plan: null,
    manifest: null,
    jobs: [],
    figures: { total: 0 },
  });
  expect(store.text(bucketLayout.reportHtml(runKeys()))).toContain('The drop held no files.');
  expect(Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!)).notes).toEqual([]);
});

test('small images are embedded with the mistakes and with their cell, and only images', async () => {
  const { store, shards, run } = reconciledRun([
    { name: '1-circle.png', output: softmax(0.2, 0.7, 0.1) },
    { name: '2-circle.png', output: softmax(0.1, 0.8, 0.1) },
  ]);
  store.put('incoming/shapes/monday/1-circle.png', Buffer.from('89504e470d0a1a0a00', 'hex'));
  store.put(
    'incoming/shapes/monday/2-circle.png',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  );
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const html = store.text(bucketLayout.reportHtml(run))!;
  expect(html.match(/src="data:[^"]*"/g)).toEqual(Array(2).fill('src="data:image/png;base64,iVBORw0KGgoA"'));
  const cell = html.split('<template id="cell-0-1">')[1]!.split('</template>')[0]!;
  expect(cell).toContain('<h3><b>circle</b> taken for <b>square</b></h3><p class="muted">All 2.</p>');
  expect(cell).toContain('src="data:image/png;base64,iVBORw0KGgoA" alt="1-circle.png"');
  expect(cell).toContain('not shown: the file is not an image');
});

test.each([
  ['an image', 'application/x-image', PNG],
  ['a text', 'text/plain', 'secret words'],
])('%s is not read where report.images is false', async (_, contentType, body) => {
  const name = 'incoming/shapes/monday/1-circle.png';
  const { report, transform } = planWith();
  const plan = { report: { ...report, images: false }, transform: { ...transform, contentType } };
  const input = { name: '1-circle.png', output: softmax(0.2, 0.7, 0.1) };
  const { store, shards, run } = reconciledRun([input], { plan });
  store.put(name, body);
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  expect(store.requests.map(({ key }) => key)).not.toContain(name);
  expect(store.text(bucketLayout.reportHtml(run))).toContain(name);
});

/** The page of a run with one mistake in a PNG, whose plan has a note of this many letters. */
async function illustratedPage(noteLength: number): Promise<string> {
  const input = { name: '1-circle.png', output: softmax(0.2, 0.7, 0.1) };
  const { store, shards, run } = reconciledRun([input], { plan: { notes: ['x'.repeat(noteLength)] } });
  store.put('incoming/shapes/monday/1-circle.png', PNG);
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  return store.text(bucketLayout.reportHtml(run))!;
}
const MAX_PAGE_BYTES = 2_000_000;

test('a page that an image would bring above 2 MB goes without it', async () => {
  const without = Buffer.byteLength(await illustratedPage(MAX_PAGE_BYTES)) - MAX_PAGE_BYTES;
  const full = await illustratedPage(MAX_PAGE_BYTES - without);
  expect(Buffer.byteLength(full)).toBe(MAX_PAGE_BYTES);
  expect(full).not.toContain('src="data:');
  const roomy = await illustratedPage(MAX_PAGE_BYTES - without - 10_000);
  expect(roomy).toContain('src="data:image/png;base64,');
});

async function pageOn(
  contentType: string,
  output: string,
  text: string,
  notes: string[] = [],
): Promise<string> {
  const input = { name: 'a.json', output };
  const { plan, store: empty } = reconciledRun([input]);
  const labels = {
    ...plan.labels,
    truth: { from: 'key' as const, pattern: '(a)' },
    classes: ['a', 'b', 'c'],
  };
  const transform = { ...plan.transform, contentType };
  const { store, shards, run } = reconciledRun([input], { plan: { transform, labels, notes }, store: empty });
  store.put('incoming/shapes/monday/a.json', text);
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  return store.text(bucketLayout.reportHtml(run))!;
}

async function mistakesOn(...about: Parameters<typeof pageOn>): Promise<string> {
  const page = await pageOn(...about);
  return page.split('aria-label="Mistakes"')[1]!.split('</table>')[0]!;
}

test('a page that the texts of records would bring above 2 MB goes without them', async () => {
  const page = (noteLength: number) =>
    pageOn('application/json', softmax(0.2, 0.7, 0.1), '{"instances":[1]}', ['x'.repeat(noteLength)]);
  const without = Buffer.byteLength(await page(MAX_PAGE_BYTES)) - MAX_PAGE_BYTES;
  const full = await page(MAX_PAGE_BYTES - without);
  expect(Buffer.byteLength(full)).toBe(MAX_PAGE_BYTES);
  expect(full).not.toContain('instances');
  const roomy = await page(MAX_PAGE_BYTES - without - 1_000);
  expect(roomy).toContain('instances');
  expect(Buffer.byteLength(roomy)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
});

test('a mistake that is a line is shown as it is written, cut and escaped', async () => {
  const long = `{"text":"${'so '.repeat(600)}"}\r\n`;
  const wrong = softmax(0.2, 0.7, 0.1);
  expect(await mistakesOn('application/jsonlines', wrong, long)).toContain(`so${' so'.repeat(76)} …<br>`);
  expect(await mistakesOn('application/jsonlines', wrong, '{"text":"<b>wörse</b>"}')).toContain(
    '{&quot;text&quot;:&quot;&lt;b&gt;wörse&lt;/b&gt;&quot;}<br>',
  );
});

test('of a document that is not split the first record is shown by its beginning, others by their place', async () => {
  const output = JSON.stringify({
    predictions: [
      [0.2, 0.7, 0.1],
      [0.1, 0.8, 0.1],
    ],
  });
  const text = '{\n  "instances": [\n    [1, 2],\n    [3, 4]\n  ]\n}\n';
  const rows = await mistakesOn('application/json', output, text);
  expect(rows.match(/instances/g)).toHaveLength(1);
  expect(rows).toContain('{ &quot;instances&quot;: [ [1, 2], [3, 4] ] }<br>');
  expect(rows).toContain('"text wrap key"><span class="muted">incoming/shapes/monday/a.json, record 1');
});

test('a document whose shown part is mostly white space is shown as continued', async () => {
  const rows = await mistakesOn('application/json', softmax(0.2, 0.7, 0.1), `[1,${' '.repeat(2_000)}2]`);
  expect(rows).toContain('[1,…<br>');
});

test('a report written twice is one run in the index', async () => {
  const { store, shards } = reconciledRun([{ name: '1-circle.png', output: softmax(1, 0, 0) }]);
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  await writeReport(
    { run: runKeys(), startedAt },
    { store, clock: () => new Date('2026-11-21T10:09:00.000Z'), logs, thumbnail },
  );
  expect(store.keys('index/')).toEqual(['index/shapes/8204744799999-monday-000001.json']);
});

test.each([true, false])('what was reported first stands (the failure first: %s)', async (isFailureFirst) => {
  const { store, shards, run } = reconciledRun([{ name: '1-circle.png', output: softmax(1, 0, 0) }]);
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  const failure = { error: 'Operator', cause: 'by mistake' };
  const [first, second] = isFailureFirst ? [{ failure }, {}] : [{}, { failure }];
  const answer = await writeReport(
    { run: runKeys(), startedAt, ...first },
    { store, clock, logs, thumbnail },
  );
  const files = () =>
    [
      bucketLayout.reportJson(run),
      bucketLayout.summary(run),
      bucketLayout.receipt(run),
      ...store.keys('index/'),
    ].map((key) => store.text(key));
  const before = files();
  expect(
    await writeReport({ run: runKeys(), startedAt, ...second }, { store, clock, logs, thumbnail }),
  ).toEqual(answer);
  expect(answer.status).toBe(isFailureFirst ? 'failed' : 'completed');
  expect(files()).toEqual(before);
});

test('more errors than the gate allows fail the run', async () => {
  const { store, shards, run } = reconciledRun(
    [
      { name: '1-circle.png', output: softmax(1, 0, 0) },
      { name: '2-circle.png', error: 'model-error' },
    ],
    { plan: { gate: { maxErrorRate: 0.1, minInputs: 1, minLabeled: null, confidence: null } } },
  );
  await foldPredictions(shards[0]!, { store, imageFacts, clock: () => new Date(0) });
  const answer = await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  expect(answer).toMatchObject({ status: 'failed', gate: 'failed' });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failure?.cause).toContain('50% of the records');
});

/** A run of two jobs, the first of which failed. */
function runWithLogs(logs: Parameters<typeof memoryEngineLogs>[0]) {
  const prepared = reconciledRun([
    { name: '1-circle.png', output: softmax(0.9, 0.05, 0.05) },
    { name: '2-circle.png', error: 'model-error' },
    { name: '3-square.png', error: 'model-error' },
    { name: '4-star.png', error: 'empty' },
  ]);
  for (const [at, status] of (['Failed', 'Completed'] as const).entries()) {
    const job = jobRecord({ attempt: at + 1, jobName: `job-${at + 1}`, status, startedAt });
    prepared.store.put(bucketLayout.job(prepared.run, at + 1), JSON.stringify(job));
  }
  return { ...prepared, logs: memoryEngineLogs(logs) };
}

test('what the container said of an input reaches errors.csv, and what ran the receipt', async () => {
  const said = (key: string, text: string) =>
    `2026-11-21T09:00:00.000:[sagemaker logs]: bucket/incoming/shapes/monday/${key}: ${text}`;
  const { store, run, shards, logs } = runWithLogs({
    'job-1': {
      'i-1': ['starting', 'serving runtime: onnxruntime 1.2.3', 'serving runtime: onnxruntime 1.2.3'],
      'i-1/data-log': [
        said('2-circle.png', 'Bad HTTP status received from algorithm: 500'),
        said('2-circle.png', 'Message:'),
        said('2-circle.png', '{"error": "no such column"}'),
        said('4-star.png', 'ClientError: 400'),
      ],
    },
    'job-2': { 'i-1': ['serving runtime: onnxruntime 1.2.4'] },
  });
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failures.map(({ detail }) => detail)).toEqual([
    'the container answered 500: no such column (told by the test)',
    'told by the test',
    'told by the test',
  ]);
  expect(store.text(bucketLayout.errors(run))).toContain('the container answered 500: no such column (told');
  expect(report.setup?.runtimes).toEqual(['onnxruntime 1.2.3', 'onnxruntime 1.2.4']);
  expect(report.notes).toEqual([]);
});

test('logs that cannot be read are missing from the report, which says so', async () => {
  const { store, run, shards } = runWithLogs({});
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
  const runtimes = async () => Promise.reject(denied);
  // eslint-disable-next-line require-yield -- it fails at the first line
  const failures = async function* (): AsyncGenerator<never> {
    throw denied;
  };
  await writeReport(
    { run: runKeys(), startedAt },
    { store, clock, logs: { ...logs, sagemaker: { ...logs.sagemaker, failures, runtimes } }, thumbnail },
  );
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.status).toBe('completed-with-errors');
  expect(report.setup?.runtimes).toEqual([]);
  expect(report.notes).toEqual([
    'the data log of job-1 cannot be read, so that errors.csv lacks what the container said: AccessDenied: not authorized',
    'the log of the job’s container cannot be read, so what ran in the image is not known: AccessDenied: not authorized',
  ]);
});

test('a run without any prediction says what the container said', async () => {
  const { store, run } = runWithLogs({});
  const logs = memoryEngineLogs({
    'job-1': {
      'i-1/data-log': [
        'x:[sagemaker logs]: bucket/incoming/shapes/monday/2-circle.png: ClientError: 400',
        'x:[sagemaker logs]: bucket/incoming/shapes/monday/2-circle.png: Message:',
        'x:[sagemaker logs]: bucket/incoming/shapes/monday/2-circle.png: not an image',
      ],
    },
  });
  const failure = { error: 'NothingPredicted', cause: 'none of 4 inputs has a prediction' };
  await writeReport({ run: runKeys(), startedAt, failure }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failure).toMatchObject({
    ...failure,
    example: {
      key: 'incoming/shapes/monday/2-circle.png',
      detail: 'the container answered 400: not an image (told by the test)',
    },
  });
  expect(report.failure?.nextStep).toContain('inferdrop logs RUN');
});

test('the time of a run leaves out what it waited for its files and for its turn', async () => {
  const { store, shards, run } = reconciledRun([{ name: '1-circle.png', output: softmax(0.9, 0.05, 0.05) }]);
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const plan = JSON.parse(store.text(bucketLayout.plan(run))!);
  store.put(bucketLayout.plan(run), JSON.stringify({ ...plan, createdAt: '2026-11-21T10:01:00.000Z' }));
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({ startedAt, seconds: 240 });
});
