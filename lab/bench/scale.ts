import { fork } from 'node:child_process';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { readJobRecords, writeJobRecord } from '../../src/app/records/jobs.ts';
import { IndexItem } from '../../src/app/records/tars.ts';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout, listFolder } from '../../src/run/bucket-layout.ts';
import { aRun } from '../../test/support/a-run.ts';
import { SERVABLE } from '../../test/support/drop-fixture.ts';
import { answerBundles } from './scale/answer-bundles.ts';
import { openFunction } from './scale/function.ts';
import { BUCKET, CLASSES, RUN } from './scale/synthetic-run.ts';
import { listTarMembers } from './scale/tar-members.ts';

/**
 * A run of this many inputs through the use cases themselves: `node lab/bench/scale.ts [inputs] [shards to fold] [layout]`. Layouts are
 * `objects`, an object for each input and each answer; `bundles`, where SageMaker answers 64 objects in one; and `tars`, where inputs are
 * members of tars and engine lambda answers 1,000 in one object. Each of the
 * five heavy steps is a process of its own with its Lambda's heap; jobs and S3's contents are synthetic. It fails where a step answers with more
 * than a state should hold, takes longer than its Lambda has, or a shard longer than five minutes.
 */
const COUNT = Number(process.argv[2] ?? 1_000_000);
const FOLDED = Number(process.argv[3] ?? Infinity);
const [, , , , LAYOUT = 'objects'] = process.argv;
const PARTS = aRun('scale/bench/000001');
/** Step Functions refuses 256 KiB; what grows with a drop belongs in S3. */
const STATE_BYTES = 4_096;
const SHARD_SECONDS = 300;

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
  objects: { model, limits, labels: { classes: CLASSES, truth } },
  bundles: { model, limits, labels: { classes: CLASSES, truth }, transform: { bundle: 'auto' } },
  tars: {
    ...{ model, limits, labels: { classes: CLASSES, truth: { from: 'member', extension: 'cls' } } },
    transform: { engine: 'lambda', maxConcurrency: 10, contentType: 'application/json' },
  },
};
const pipeline = pipelines[LAYOUT];
if (pipeline === undefined) throw new Error(`layout must be objects, bundles or tars, is ${LAYOUT}`);
await store.write(bucketLayout.pipelineConfig('scale'), JSON.stringify(pipeline));

const open = (name: string) => openFunction(name, { ...process.env, ...env });
const [settle, plan, reconcile] = [open('settle-drop'), open('plan-run'), open('reconcile-outputs')];
const [fold, report] = [open('fold-predictions'), open('write-report')];
const functions = [settle, plan, reconcile, fold, report];
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
  for (const item of JSON.parse((await store.readText(bucketLayout.tars(PARTS))) ?? '[]'))
    await listTarMembers(store, IndexItem.parse(item), { count: COUNT });
  planned = await plan.call({ run: RUN });
}
said(`${planned.jobs} jobs`);

let attempt = { next: 'transform', attempt: 1 };
while (attempt.next === 'transform') {
  const at = attempt.attempt;
  const record = (await readJobRecords(store, PARTS)).find((job) => job.attempt === at);
  if (record === undefined) throw new Error(`attempt ${at} has no record`);
  if (LAYOUT !== 'objects') await answerBundles(store, PARTS, listFolder(PARTS, record.input));
  const now = clock().toISOString();
  await writeJobRecord(store, PARTS, { ...record, status: 'Completed', startedAt: now, endedAt: now });
  do attempt = await reconcile.call({ run: RUN, attempt: at });
  while (attempt.next === 'reconcile');
}
said('compared');

const shards: { shard: number }[] = JSON.parse((await store.readText(bucketLayout.shards(PARTS))) ?? '[]');
const step = Math.max(1, Math.floor(shards.length / FOLDED));
const chosen = shards.filter((_, index) => index % step === 0);
for (const shard of chosen) await fold.call(shard);
said(`${chosen.length} of ${shards.length} shards folded`);
// Where only some are folded, their tallies and rows stand for the others'.
for (const [index, { shard }] of shards.entries()) {
  const like = chosen[Math.floor(index / step)]?.shard ?? 0;
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
const wrong = functions.filter(({ name, limits, used }) => {
  const mostSeconds = name === 'fold-predictions' ? SHARD_SECONDS : limits.cpuSeconds;
  return (
    used.mostCpuSeconds > mostSeconds || used.peakMiB > limits.memoryMiB || used.mostStateBytes > STATE_BYTES
  );
});
if (wrong.length > 0) {
  console.error(`beyond its limits: ${wrong.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}
for (const { close } of functions) close();
s3.disconnect();
