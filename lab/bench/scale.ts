import { fork } from 'node:child_process';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { checkTransform } from '../../src/app/transform/check-transform.ts';
import { prepareModel } from '../../src/app/transform/prepare-model.ts';
import { startTransform } from '../../src/app/transform/start-transform.ts';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../../test/support/a-run.ts';
import { SERVABLE } from '../../test/support/drop-fixture.ts';
import { memoryEngines } from '../../test/support/memory-engines.ts';
import { memoryExecutions } from '../../test/support/memory-executions.ts';
import { memorySageMaker } from '../../test/support/memory-sagemaker.ts';
import { answerBundles } from './scale/answer-bundles.ts';
import { openFunction } from './scale/function.ts';
import { BUCKET, CLASSES, RUN } from './scale/synthetic-run.ts';

/**
 * A run of this many inputs through the use cases themselves: `node lab/bench/scale.ts [inputs] [shards to fold] [bundles]`, where
 * `bundles` has the answers of 64 inputs in an object. Each of the
 * five heavy steps is a process of its own with its Lambda's heap; SageMaker and S3's contents are synthetic.
 */
const COUNT = Number(process.argv[2] ?? 1_000_000);
const FOLDED = Number(process.argv[3] ?? Infinity);
const LAYOUT = process.argv[4] === 'bundles' ? 'bundles' : 'objects';
const PARTS = aRun('scale/bench/000001');

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
await store.write(bucketLayout.pipelineModel('scale'), await modelArchive(SERVABLE));
const pipeline = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  labels: { classes: CLASSES, truth: { from: 'file', path: 'labels.csv' } },
  transform: { bundle: LAYOUT === 'bundles' ? 'auto' : 'never' },
  limits: { maxRuntimeMinutes: 4_320 },
};
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
const { jobs } = await plan.call({ run: RUN });
said(`${jobs} jobs`);

const sagemaker = memorySageMaker({ clock });
const engines = memoryEngines({ store, sagemaker, clock });
await prepareModel({ run: PARTS }, { store, engines });
let attempt = { next: 'transform', attempt: 1 };
while (attempt.next === 'transform') {
  const at = attempt.attempt;
  const start = () =>
    startTransform(
      { run: PARTS, attempt: at, poll: 0, bundled: 0 },
      { store, engines, executions: () => memoryExecutions(), clock },
    );
  let started = await start();
  if (started.status === 'bundle') {
    await answerBundles(store, PARTS, started.list);
    started = await start();
  }
  if (started.status !== 'started') throw new Error(`no job was started: ${started.status}`);
  const { jobName } = started;
  sagemaker.update(jobName, { status: 'Completed', startedAt: clock(), endedAt: clock() });
  await checkTransform({ run: PARTS, attempt: at, poll: 0 }, { store, engines, clock });
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
      },
    ]),
  ),
);
for (const { close } of functions) close();
s3.disconnect();
