/**
 * Processor time and memory for opening a table of 30 numbers and a label, and for the steps of its run, each in a
 * process with its Lambda's heap: `npm run bench -- tables [records] [csv|jsonl|parquet] [open]`; `open` leaves
 * out the rest of the run. It uses the S3 of lab/bench/scale.ts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { bundleItemsJson } from '../../../src/app/records/bundle-items.ts';
import { readBundleNames } from '../../../src/app/records/bundles.ts';
import { writeJobRecord } from '../../../src/app/records/jobs.ts';
import { objectStore } from '../../../src/aws/s3/s3-object-store.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout, listFolder } from '../../../src/run/bucket-layout.ts';
import { openTable } from '../../../src/table/open-table.ts';
import { toAnswerLine, toBundleHead } from '../../../src/transform/output-bundle.ts';
import { aRun } from '../../../test/support/a-run.ts';
import { SERVABLE } from '../../../test/support/drop-fixture.ts';
import { jobRecord } from '../../../test/support/job-record.ts';
import { random } from '../../../test/support/random.ts';
import { openFunction } from './function.ts';
import { BUCKET } from './synthetic-run.ts';

const COUNT = Number(process.argv[2] ?? 1_000_000);
const [, , , FORMAT = 'csv', isOnlyOpened] = process.argv;
const RUN = 'tables/bench/000001';
const PARTS = aRun(RUN);
const PREFIX = 'incoming/tables/bench/';
const CLASSES = ['benign', 'malignant'];
const FEATURES = Array.from({ length: 30 }, (_, at) => `feature_${at}`);
const BATCH = 1_000;

const labelOf = (index: number): string => CLASSES[index % 2] ?? '';
const draw = random(1);
const numbers = (): number[] => FEATURES.map(() => Math.round(draw() * 1e7) / 1e4);

/** The lines of a text, some at once. */
async function* lines(title: string, lineOf: (row: readonly number[], label: string) => string) {
  yield title;
  for (let at = 0; at < COUNT; at += BATCH)
    yield Array.from({ length: Math.min(BATCH, COUNT - at) }, (_, place) =>
      lineOf(numbers(), labelOf(at + place)),
    ).join('');
}

const FORMATS: Readonly<Record<string, () => AsyncIterable<string | Uint8Array>>> = {
  csv: () => lines(`${FEATURES.join(',')},diagnosis\n`, (row, label) => `${row.join(',')},${label}\n`),
  jsonl: () =>
    lines('', (row, label) => {
      const fields = FEATURES.map((name, at) => [name, row[at]] as const);
      return `${JSON.stringify({ ...Object.fromEntries(fields), diagnosis: label })}\n`;
    }),
  async *parquet() {
    const columnData = [
      ...FEATURES.map((name) => ({
        name,
        data: Float64Array.from({ length: COUNT }, () => draw()),
        type: 'DOUBLE' as const,
      })),
      {
        name: 'diagnosis',
        data: Array.from({ length: COUNT }, (_, at) => labelOf(at)),
        type: 'STRING' as const,
      },
    ];
    yield Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 100_000 }));
  },
};

const s3 = fork(new URL('./synthetic-s3.ts', import.meta.url), ['0', 'bundles']);
const [{ port }] = await once(s3, 'message');
const env = {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};
Object.assign(process.env, env);
const store = objectStore({ bucket: BUCKET });
const source = FORMATS[FORMAT];
if (source === undefined) throw new Error(`format must be ${Object.keys(FORMATS).join(', ')}, is ${FORMAT}`);
const key = `${PREFIX}table`;
await store.writeStream(key, source());
const found = await store.describe(key);
if (found === undefined) throw new Error(`${key} is not there`);
const { size, etag } = found;
const now = new Date().toISOString();
const entry = { key, size, etag, lastModified: found.lastModified.toISOString() };
await store.write(bucketLayout.manifest(PARTS), `${JSON.stringify(entry)}\n`);
await store.write(
  bucketLayout.frozen(PARTS),
  JSON.stringify({
    schema: 1,
    status: 'frozen',
    objects: 1,
    bytes: size,
    largestObjectBytes: size,
    emptyObjects: 0,
    tars: 0,
    sourceBucket: BUCKET,
    sourcePrefix: PREFIX,
    frozenAt: now,
    manifestSlices: [],
    coveredSlices: [],
    origin: { mode: 'drop' },
  }),
);
await store.write(bucketLayout.pipelineModel('tables'), await modelArchive(SERVABLE));
const pipeline = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  limits: { maxRuntimeMinutes: 4_320 },
  transform: { engine: 'lambda', contentType: 'text/csv' },
  columns: { features: FEATURES },
  labels: { classes: CLASSES, truth: { from: 'column', column: 'diagnosis' } },
};
await store.write(bucketLayout.pipelineConfig('tables'), JSON.stringify(pipeline));

const open = (name: string) => openFunction(name, { ...process.env, ...env });
const [index, plan, reconcile] = [open('index-tars'), open('plan-run'), open('reconcile-outputs')];
const [fold, report] = [open('fold-predictions'), open('write-report')];
const functions = [index, plan, reconcile, fold, report];
const itemsOf = async (place: string): Promise<unknown[]> =>
  JSON.parse((await store.readText(place)) ?? '[]');

await plan.call({ run: RUN });
for (const item of await itemsOf(bucketLayout.tars(PARTS))) while (!(await index.call(item)).isDone);
console.log(
  `${FORMAT}, ${size} bytes: opened with ${index.used.cpuSeconds.toFixed(1)} s of processor and ${Math.round(index.used.peakMiB)} MiB`,
);
// What a call that goes on has to pass over.
const body = (await store.readStream(key)) ?? Readable.from([]);
const ranges = {
  sizeBytes: size,
  read: async (start: number, end: number) => (await store.readBytes(key, { start, end })) ?? Buffer.of(),
};
const before = process.cpuUsage();
const columns = {
  features: FEATURES,
  label: 'diagnosis',
  id: null,
  ignore: [],
  delimiter: null,
  ...({ form: 'list', sends: 'csv' } as const),
};
for await (const some of openTable(body, columns, { from: COUNT - 1, ranges }))
  if (some.length > 1) throw new Error('records were not passed over');
const { user, system } = process.cpuUsage(before);
console.log(`all records but one passed over: ${((user + system) / 1e6).toFixed(1)} s of processor`);
if (isOnlyOpened === undefined) await runOn();
console.table(
  Object.fromEntries(
    functions.map(({ name, limits, used }) => [
      name,
      {
        calls: used.calls,
        'CPU s': Number(used.cpuSeconds.toFixed(1)),
        'longest call': Number(used.mostCpuSeconds.toFixed(1)),
        'peak MiB': Math.round(used.peakMiB),
        'limit MiB': limits.memoryMiB,
      },
    ]),
  ),
);
for (const { close } of functions) close();
s3.disconnect();

/** The rest of the run: planned, answered without a model, folded, reported. */
async function runOn(): Promise<void> {
  await plan.call({ run: RUN });
  const planned = Plan.parse(JSON.parse((await store.readText(bucketLayout.plan(PARTS))) ?? ''));
  for (const { part, input, engine } of planned.jobs) {
    const list = listFolder(PARTS, input);
    for (const item of await bundleItemsJson(PARTS, list).require(store)) {
      const names = await readBundleNames(store, { run: PARTS, list, start: item.start, end: item.end });
      const answers = names.map((name) => {
        const place = Number(name.slice(-9));
        const scores = (place + (place % 10 === 0 ? 1 : 0)) % 2 === 0 ? '[0.91,0.09]' : '[0.09,0.91]';
        return toAnswerLine(name, Buffer.from(`{"predictions":[${scores}]}`));
      });
      const head = { inputs: names.length, failed: [], ms: 1, memoryMB: 1_769, isJoint: false };
      await store.write(
        bucketLayout.bundleOutput(PARTS, list, item.bundle),
        toBundleHead(head) + answers.join(''),
      );
    }
    const ended = { status: 'Completed' as const, startedAt: now, endedAt: now, costUsd: 0 };
    await writeJobRecord(
      store,
      PARTS,
      jobRecord({ ...ended, run: RUN, attempt: part, part, engine, input, objects: planned.objects }),
    );
    while ((await reconcile.call({ run: RUN, attempt: part })).next === 'reconcile');
  }
  const shards = await itemsOf(bucketLayout.shards(PARTS));
  for (const shard of shards) await fold.call(shard);
  await report.call({ run: RUN, executionArn: 'arn:x', startedAt: now });
  const { records, accuracy, errors } = Report.parse(
    JSON.parse((await store.readText(bucketLayout.reportJson(PARTS))) ?? '{}'),
  );
  console.log(
    `${FORMAT}, ${size} bytes: ${records} records, accuracy ${accuracy}, ${errors} errors; ${shards.length} shards`,
  );
}
