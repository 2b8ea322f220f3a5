import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { testEndpoint } from '../../../src/app/endpoint/test-endpoint.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { parseReconciled } from '../../../src/app/records/reconciled.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { Report } from '../../../src/report/report.ts';
import { readRows } from '../../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { drive, PREFIX } from '../../support/drive-transform.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { listLines } from '../../support/list-lines.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';

const clock = () => NOW;
const CIRCLE = '{"predictions": [[0.9, 0.1]]}';
/** Two files of lines; lines 1 and 2 of the second have what the lines of the first have. */
const FILES = {
  'circle.txt': 'GIF89a one\nGIF89a two\n',
  'square.txt': 'GIF89a x\nGIF89a one\nGIF89a two\n',
};

/** A drop whose inputs are the lines of its files, planned. */
async function plannedLines(transform: object = {}) {
  const store = await frozenDrop({
    files: {},
    pipeline: {
      ...PIPELINE,
      transform,
      labels: { ...PIPELINE.labels, truth: { from: 'key', pattern: '(circle|square)\\.txt/' } },
    },
  });
  for (const [name, body] of Object.entries(FILES)) store.put(PREFIX + name, body);
  listLines(store, PARTS);
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  return store;
}

/** The run whose jobs leave no answer for `poison`, folded and reported; `between` acts while a job runs. */
async function reported(
  transform: object = {},
  {
    poison = [],
    between = () => undefined,
  }: Partial<{ poison: string[]; between: (store: Store) => void }> = {},
) {
  const store = await plannedLines(transform);
  const { answer, jobs } = await drive({ store, sagemaker: memorySageMaker({ clock }), clock }, (names) => {
    between(store);
    return { write: names.filter((name) => !poison.includes(name)), status: 'Completed', body: CIRCLE };
  });
  const shards = JSON.parse(store.text(bucketLayout.shards(PARTS))!) as { shard: number }[];
  for (const shard of shards)
    await foldPredictions({ ...shard, run: PARTS } as never, { store, imageFacts, clock: () => new Date(0) });
  await writeReport(
    { run: PARTS, startedAt: NOW.toISOString() },
    { store, clock, logs: memoryEngineLogs(), thumbnail },
  );
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!));
  return { store, answer, jobs, report, page: store.text(bucketLayout.reportHtml(PARTS))! };
}
type Store = Awaited<ReturnType<typeof plannedLines>>;

test('the plan counts lines, and each job has their names', async () => {
  const store = await plannedLines();
  const plan = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  expect(plan).toMatchObject({ objects: 5, bytes: 48, labels: { check: { inputs: 5, labeled: 5 } } });
  expect(plan.jobs.map(({ firstKey, lastKey }) => [firstKey, lastKey])).toEqual([
    [`${PREFIX}circle.txt/0`, `${PREFIX}square.txt/2`],
  ]);
});

test('a line without an answer is listed by its name, in errors.csv and the rows, and the others are scored', async () => {
  const { store, answer, jobs, report } = await reported({}, { poison: ['square.txt/1'] });
  expect(jobs.map(({ inputs }) => inputs)).toEqual([
    ['circle.txt/0', 'circle.txt/1', 'square.txt/0', 'square.txt/1', 'square.txt/2'],
    ['square.txt/1'],
  ]);
  expect(answer).toMatchObject({ next: 'fold', inputs: 5, missing: 1 });
  expect(report).toMatchObject({ total: 5, records: 4, correct: 2, errorsByReason: { 'model-error': 1 } });
  expect(store.text(bucketLayout.errors(PARTS))).toContain(`${PREFIX}square.txt/1,,,,model-error,`);
  const rows = await Array.fromAsync(readRows((await store.readBytes(bucketLayout.rows(PARTS, 0)))!));
  expect(rows.flat().map(({ key, truth, correct }) => [key.slice(PREFIX.length), truth, correct])).toEqual([
    ['circle.txt/0', 'circle', true],
    ['circle.txt/1', 'circle', true],
    ['square.txt/0', 'square', false],
    ['square.txt/1', 'square', null],
    ['square.txt/2', 'square', false],
  ]);
});

test('a file that was overwritten supersedes all its lines, and no others', async () => {
  const { store, report } = await reported(
    {},
    { between: (files) => files.put(`${PREFIX}square.txt`, 'GIF89a other\n') },
  );
  const lines = store.text(bucketLayout.reconciled(PARTS))!.trimEnd().split('\n').map(parseReconciled);
  expect(lines.map(({ name, error, detail }) => [name.slice(PREFIX.length), error, detail])).toEqual([
    ['circle.txt/0', undefined, undefined],
    ['circle.txt/1', undefined, undefined],
    ...['square.txt/0', 'square.txt/1', 'square.txt/2'].map((name) => [
      name,
      'superseded',
      `${PREFIX}square.txt was overwritten after the manifest was frozen; the next generation has it`,
    ]),
  ]);
  expect(report).toMatchObject({ records: 2, correct: 2 });
});

test('the page shows the image of a mistake that is a line, and nothing of its neighbors', async () => {
  const { report, page } = await reported();
  const wrong = report.mistakes.map(({ key }) => key.slice(PREFIX.length));
  expect(wrong).toEqual(['square.txt/0', 'square.txt/1', 'square.txt/2']);
  for (const line of ['GIF89a x', 'GIF89a one', 'GIF89a two'])
    expect(page).toContain(`data:image/gif;base64,${Buffer.from(line).toString('base64')}"`);
});

test('the page shows the text of a mistake that is a line', async () => {
  const { page } = await reported({ contentType: 'text/plain' });
  const texts = [...page.slice(0, page.indexOf('id="suspects"')).matchAll(/wrap key">([^<]*)<br>/g)].map(
    ([, text]) => text,
  );
  expect(texts).toEqual(['GIF89a x', 'GIF89a one', 'GIF89a two']);
});

test('lines are compared with a baseline by their content, whatever else their file holds by now', async () => {
  const { store } = await reported();
  // The next run has the first file with a line more, and the second with another first line.
  store.put(`${PREFIX}circle.txt`, `${FILES['circle.txt']}GIF89a three\n`);
  store.put(`${PREFIX}square.txt`, 'GIF89a y\nGIF89a one\nGIF89a two\n');
  listLines(store, PARTS);
  const next = parseRunId('shapes/monday/000002')!;
  const plan = JSON.parse(store.text(bucketLayout.plan(PARTS))!) as Plan;
  const baseline = { asked: 'last-passed', run: 'shapes/monday/000001' };
  store.put(bucketLayout.plan(next), JSON.stringify({ ...plan, report: { ...plan.report, baseline } }));
  const lines = store
    .text(bucketLayout.inputs(PARTS))!
    .trimEnd()
    .split('\n')
    .map((line) => `${JSON.stringify({ ...JSON.parse(line), error: 'model-error', detail: '' })}\n`);
  store.put(bucketLayout.reconciled(next), lines.join(''));
  const end = Buffer.byteLength(lines.join(''));
  await foldPredictions(
    { run: next, shard: 0, start: 0, end, inputs: 6 },
    { store, imageFacts, clock: () => new Date(0) },
  );
  const { comparison } = JSON.parse(store.text(bucketLayout.tally(next, 0))!) as {
    comparison: { tally: { inputs: object } };
  };
  expect(comparison.tally.inputs).toMatchObject({ paired: 4, changed: 1, added: 1 });
});

test('an endpoint is tested with the bytes of the line alone, and only while its file is as it was', async () => {
  const { store } = await reported();
  const sent: string[] = [];
  const services = {
    store,
    pause: () => Promise.resolve(),
    runtime: {
      invoke: (_name: string, { body }: { readonly body: Uint8Array }) => {
        sent.push(Buffer.from(body).toString());
        return Promise.resolve({ body: Buffer.from(CIRCLE), contentType: 'application/json', variant: 'v' });
      },
    },
  };
  const ask = { run: PARTS, endpointName: 'e', proof: 'given' } as const;
  expect(await testEndpoint(ask, services)).toMatchObject({ status: 'agrees', tested: 5 });
  expect(sent.sort()).toEqual(['GIF89a one', 'GIF89a one', 'GIF89a two', 'GIF89a two', 'GIF89a x']);
  store.put(`${PREFIX}square.txt`, 'GIF89a other\n');
  expect(await testEndpoint(ask, services)).toMatchObject({ status: 'agrees', tested: 2 });
});
