import { fork } from 'node:child_process';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { readJobRecords, writeJobRecord } from '../../src/app/records/jobs.ts';
import { IndexItem } from '../../src/app/records/tars.ts';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout, listFolder } from '../../src/run/bucket-layout.ts';
import { LOOKS_A_RUN } from '../../src/transform/poll-wait.ts';
import { aRun } from '../../test/support/a-run.ts';
import { SERVABLE } from '../../test/support/drop-fixture.ts';
import { answerBundles } from './scale/answer-bundles.ts';
import { openFunction } from './scale/function.ts';
import { BUCKET, CLASSES, RUN } from './scale/synthetic-run.ts';
import { listTarMembers } from './scale/tar-members.ts';

/**
 * A run of this many inputs through the use cases themselves: `node lab/bench/scale.ts [inputs] [shards to fold] [layout]`. Layouts
 * are `objects`, an object for each input and each answer; `bundles`: SageMaker answers 64 objects in one; and `tars`: inputs are
 * members of tars, and engine lambda answers 1,000 in one object. Each of the heavy steps is a process of its own with its Lambda's
 * heap; jobs, the network and S3's contents are synthetic. It fails if a step is given or answers more than a state should hold,
 * takes longer than its Lambda has or a shard than five minutes, or an execution has too many events.
 */
const COUNT = Number(process.argv[2] ?? 1_000_000);
const FOLDED = Number(process.argv[3] ?? Infinity);
const [, , , , LAYOUT = 'objects'] = process.argv;
const PARTS = aRun('scale/bench/000001');
/** Step Functions refuses 256 KiB; what grows with a drop belongs in S3. */
const STATE_BYTES = 4_096;
const SHARD_SECONDS = 300;
const SHARDS = ['predict-shard', 'fold-predictions'];
/** Step Functions stops an execution beyond 25,000 events. */
const MOST_EVENTS = 25_000;
/**
 * Events: a task is entered, scheduled, started, ended and left, and a Choice after it is entered and left; a look also has a Wait.
 * A map is entered, started, run, ended and left.
 */
const EVENTS_A_CALL = 7;
const EVENTS_A_LOOK = 9;
const EVENTS_A_MAP = 6;

const s3 = fork(new URL('./scale/synthetic-s3.ts', import.meta.url), [String(COUNT), LAYOUT]);
const heard = (): Promise<any> => new Promise((resolve) => s3.once('message', resolve));
const { port } = await heard();
const env = {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};
Object.assign(process.env, env);
const store = objectStore({ bucket: BUCKET });
await store.write(
  bucketLayout.pipelineModel('scale'),
  await modelArchive(LAYOUT === 'tars' ? { '1/saved_model.pb': 'graph' } : SERVABLE),
);
const model = { framework: 'tensorflow', frameworkVersion: '2.19.0' };
const limits = { maxRuntimeMinutes: 4_320 };
const truth = { from: 'file', path: 'labels.csv' };
const pipelines: Record<string, object> = {
  objects: { model, limits, labels: { classes: CLASSES, truth }, transform: { bundle: 'never' } },
  bundles: { model, limits, labels: { classes: CLASSES, truth }, transform: { bundle: 'auto' } },
  tars: {
    model,
    limits,
    labels: { classes: CLASSES, truth: { from: 'member', extension: 'cls' } },
    transform: { engine: 'lambda', maxConcurrency: 10, contentType: 'application/json' },
  },
};
const pipeline = pipelines[LAYOUT];
if (pipeline === undefined) throw new Error(`layout must be objects, bundles or tars, is ${LAYOUT}`);
await store.write(bucketLayout.pipelineConfig('scale'), JSON.stringify(pipeline));

const open = (name: string) => openFunction(name, { ...process.env, ...env });
const [settle, plan, reconcile] = [open('settle-drop'), open('plan-run'), open('reconcile-outputs')];
const [fold, report] = [open('fold-predictions'), open('write-report')];
const [predict, check] = [open('predict-shard'), open('check-transform')];
const functions = [settle, plan, predict, check, reconcile, fold, report];
/** Some of the items of a map, spread over all: as many as are to be folded. */
function chosenOf<T>(items: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / FOLDED));
  return items.filter((_, index) => index % step === 0);
}
const maps: Record<string, { items: number; bytes: number; 'longest item': number }> = {};
async function itemsOf(name: string, key: string): Promise<any[]> {
  const text = (await store.readText(key)) ?? '[]';
  const items: unknown[] = JSON.parse(text);
  const longest = items.reduce((most: number, item) => Math.max(most, JSON.stringify(item).length), 0);
  maps[name] = { items: items.length, bytes: text.length, 'longest item': longest };
  return items;
}
const began = performance.now();
const startedAt = new Date().toISOString();
const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:batch-inference:x';
const said = (text: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(6)} s  ${text}`);
const clock = () => new Date();

let settled = await settle.call({ run: RUN, executionArn, startedAt });
while (settled.status === 'listing') settled = await settle.call({ run: RUN, executionArn, startedAt });
said(`${settled.status}: ${settled.objects} inputs`);
let planned = await plan.call({ run: RUN });
if (planned.status === 'index') {
  for (const item of await itemsOf('IndexTars', bucketLayout.tars(PARTS)))
    await listTarMembers(store, IndexItem.parse(item), { count: COUNT });
  planned = await plan.call({ run: RUN });
}
said(`${planned.jobs} jobs`);

let attempt = { next: 'transform', attempt: 1 };
while (attempt.next === 'transform') {
  const at = attempt.attempt;
  const record = (await readJobRecords(store, PARTS)).find((job) => job.attempt === at);
  if (record === undefined) throw new Error(`attempt ${at} has no record`);
  const list = listFolder(PARTS, record.input);
  const now = clock().toISOString();
  if (LAYOUT === 'tars') {
    const items = await itemsOf(`PredictShards ${at}`, bucketLayout.bundleItems(PARTS, list));
    for (const item of chosenOf(items)) await predict.call({ what: 'bundles', Items: [item] });
    await answerBundles(store, PARTS, list);
    await writeJobRecord(store, PARTS, { ...record, status: 'InProgress', startedAt: now });
    for (let poll = 0; poll < 2; poll++) await check.call({ run: RUN, attempt: at, poll });
  } else {
    if (LAYOUT === 'bundles') await answerBundles(store, PARTS, list);
    await writeJobRecord(store, PARTS, { ...record, status: 'Completed', startedAt: now, endedAt: now });
  }
  do attempt = await reconcile.call({ run: RUN, attempt: at });
  while (attempt.next === 'reconcile');
}
said('compared');

const shards: { shard: number }[] = await itemsOf('FoldPredictions', bucketLayout.shards(PARTS));
const chosen = chosenOf(shards);
for (const shard of chosen) await fold.call(shard);
said(`${chosen.length} of ${shards.length} shards folded`);
// If only some are folded, their tallies and rows stand for the others'.
for (const [index, { shard }] of shards.entries()) {
  const like = chosen[Math.floor((index * chosen.length) / shards.length)]?.shard ?? 0;
  if (like === shard) continue;
  for (const place of [bucketLayout.tally, bucketLayout.rows, bucketLayout.shardMistakes])
    await store.copy({ bucket: BUCKET, key: place(PARTS, like) }, place(PARTS, shard));
}
await report.call({ run: RUN, executionArn, startedAt });
const { records, accuracy, errors } = Report.parse(
  JSON.parse((await store.readText(bucketLayout.reportJson(PARTS))) ?? '{}'),
);
said(`report: ${records} records, accuracy ${accuracy}, ${errors} errors`);

s3.send('counts');
console.log('requests', (await heard()).counts);
const folded = Math.min(COUNT, chosen.length * (COUNT / Math.max(1, shards.length)));
const each = (reconcile.used.cpuSeconds + report.used.cpuSeconds) / COUNT + fold.used.cpuSeconds / folded;
console.log(`reconcile, fold and report: ${(each * 1e6).toFixed(1)} µs of processor an input`);
console.table(
  Object.fromEntries(
    functions.map(({ name, limits, used }) => [
      name,
      {
        calls: used.calls,
        'CPU s': Number(used.cpuSeconds.toFixed(1)),
        'longest call': Number(used.mostCpuSeconds.toFixed(1)),
        'limit s': Number(limits.cpuSeconds.toFixed(0)),
        'peak MiB': Math.round(used.peakMiB),
        'limit MiB': limits.memoryMiB,
        'bytes of state': used.mostStateBytes,
      },
    ]),
  ),
);
console.table(maps);
const calls = [settle, plan, check, reconcile, report].reduce((sum, { used }) => sum + used.calls, 0);
const events = calls * EVENTS_A_CALL + Object.keys(maps).length * EVENTS_A_MAP;
const most = events + LOOKS_A_RUN.most * EVENTS_A_LOOK;
console.log(
  `events of the run's execution: ${events}, and with the most looks at a job ${most} of ${MOST_EVENTS}`,
);
const wrong = functions.filter(({ name, limits, used }) => {
  const mostSeconds = SHARDS.includes(name) ? SHARD_SECONDS : limits.cpuSeconds;
  return (
    used.mostCpuSeconds > mostSeconds || used.peakMiB > limits.memoryMiB || used.mostStateBytes > STATE_BYTES
  );
});
const beyond = [
  ...wrong.map(({ name }) => name),
  ...Object.keys(maps).filter((name) => (maps[name]?.['longest item'] ?? 0) > STATE_BYTES),
  ...(most > MOST_EVENTS ? ['events'] : []),
];
if (beyond.length > 0) {
  console.error(`beyond its limits: ${beyond.join(', ')}`);
  process.exitCode = 1;
}
for (const { close } of functions) close();
s3.disconnect();
