/**
 * The state machine itself over many inputs (`npm run bench:scale -- 100000`; a million by default): the real
 * `batch-inference.asl.json` in this repository's Step Functions, the Lambdas' use cases in this process, and S3 over
 * HTTP. Inputs and outputs are synthetic: they are put into the store by its own import, and the transform job ends at once.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { systemClock } from '../local/gateway/clock.ts';
import type { FunctionInvoker, ObjectAccess } from '../local/gateway/ports.ts';
import { createS3 } from '../local/s3/s3.ts';
import { createStates } from '../local/states/states.ts';
import { checkTransform } from '../src/app/transform/check-transform.ts';
import { createModel } from '../src/app/transform/create-model.ts';
import { foldPredictions } from '../src/app/report/fold-predictions.ts';
import { notify } from '../src/app/report/notify.ts';
import { planRun } from '../src/app/plan/plan-run.ts';
import { reconcileOutputs } from '../src/app/transform/reconcile-outputs.ts';
import { settleDrop } from '../src/app/drop/settle-drop.ts';
import { startTransform } from '../src/app/transform/start-transform.ts';
import { writeReport } from '../src/app/report/write-report.ts';
import { objectStore } from '../src/aws/s3-object-store.ts';
import { bucketLayout } from '../src/drop/bucket-layout.ts';
import { Report } from '../src/report/report.ts';
import { SERVABLE, SETTINGS } from '../test/support/drop-fixture.ts';
import { localGateway } from '../test/support/local-gateway.ts';
import { memoryExecutions } from '../test/support/memory-executions.ts';
import { memorySageMaker } from '../test/support/memory-sagemaker.ts';
import { memoryTopic } from '../test/support/memory-topic.ts';
import { modelArchive } from '../test/support/model-archive.ts';
import { random } from '../test/support/random.ts';

const COUNT = Number(process.argv[2] ?? 1_000_000);
const CLASSES = ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'];
const BUCKET = 'bench-scale';
const PARTS = { pipeline: 'scale', drop: 'bench', generation: '000001' };
const RUN = 'scale/bench/000001';
const PREFIX = bucketLayout.incoming(PARTS.pipeline, PARTS.drop);

const dir = await mkdtemp(path.join(tmpdir(), 'inferdrop-scale-'));
const bus = { put: () => undefined };
const clock = () => new Date();
const calls: Record<string, number> = {};
let objects: ObjectAccess | undefined;
let peak = 0;

const sagemaker = memorySageMaker({ clock });
const topic = memoryTopic();
// Each use case parses nothing here: the machine hands on what the step before gave.
const steps: Record<string, (input: any) => Promise<unknown>> = {};
const invoker: FunctionInvoker = {
  async invoke(target, payload) {
    const name = target.replace(/^arn:aws:lambda:[^:]*:\d+:function:/, '');
    const step = steps[name];
    if (step === undefined) throw new Error(`no function ${name}`);
    calls[name] = (calls[name] ?? 0) + 1;
    const answer = await step(JSON.parse(payload.toString())).catch((error: unknown) => {
      // The machine tells of a map's children only that some failed.
      console.log(name, payload.toString(), error);
      throw error;
    });
    peak = Math.max(peak, process.memoryUsage().rss);
    return { payload: Buffer.from(JSON.stringify(answer)), requestId: 'r' };
  },
  invokeLater: () => undefined,
};

await Promise.all(['s3', 'states'].map((name) => mkdir(path.join(dir, name))));
const gateway = await localGateway((site) => {
  const s3 = createS3({ dir: path.join(dir, 's3'), site, bus, clock: systemClock });
  objects = s3.objects;
  const logs = { write: () => undefined };
  const states = createStates({
    dir: path.join(dir, 'states'),
    site,
    clock: systemClock,
    bus,
    functions: invoker,
    logs,
  });
  return [s3.service, states.service];
});
Object.assign(process.env, {
  AWS_ENDPOINT_URL: gateway.endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});
if (objects === undefined) throw new Error('S3 was not made');
const put = objects.write.bind(objects);
const store = objectStore({ bucket: BUCKET });
const s3 = new S3Client({ ...gateway.client, forcePathStyle: true });
await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));

const settings = { ...SETTINGS, readBuckets: [] };
Object.assign(steps, {
  'settle-drop': (input) => settleDrop(input, { store, clock, settings, newId: () => crypto.randomUUID() }),
  'plan-run': (input) => planRun(input, { store, clock, settings }),
  'create-model': (input) => createModel(input, { store, sagemaker }),
  'start-transform': async (input) => {
    const started = await startTransform(input, { store, sagemaker, executions: memoryExecutions(), clock });
    if (started.status === 'started')
      sagemaker.update(started.jobName, { status: 'Completed', startedAt: clock(), endedAt: clock() });
    return started;
  },
  'check-transform': (input) => checkTransform(input, { store, sagemaker, clock }),
  'reconcile-outputs': (input) => reconcileOutputs(input, { store, clock, newId: () => crypto.randomUUID() }),
  'fold-predictions': (input) => foldPredictions(input, { store }),
  'write-report': (input) => writeReport(input, { store, clock }),
  notify: (input) => notify(input, { store, topic, clock }),
} satisfies typeof steps);

const imported = process.cpuUsage();
const next = random(7);
await put(BUCKET, bucketLayout.pipelineModel('scale'), Buffer.from(await modelArchive(SERVABLE)));
const pipeline = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  labels: { classes: CLASSES, truth: { from: 'key', pattern: '([a-z]+)\\.png$' } },
};
await put(BUCKET, bucketLayout.pipelineConfig('scale'), Buffer.from(JSON.stringify(pipeline)));
const image = Buffer.from('one image');
for (let at = 0; at < COUNT; at++) {
  const truth = Math.floor(next() * CLASSES.length);
  const name = `${String(at).padStart(8, '0')}-${CLASSES[truth] ?? ''}.png`;
  const scores = CLASSES.map((_, id) => next() + (id === truth ? 2 : 0));
  const sum = scores.reduce((total, score) => total + score, 0);
  const text = JSON.stringify({ predictions: [scores.map((score) => score / sum)] });
  await put(BUCKET, `${PREFIX}${name}`, image);
  await put(BUCKET, `${bucketLayout.predictions(PARTS)}${name}.out`, Buffer.from(text));
}
await put(BUCKET, `${PREFIX}_READY`, Buffer.from(''));
const importing = process.cpuUsage(imported);
console.log(
  `${COUNT} inputs and outputs imported: ${((importing.user + importing.system) / 1e6).toFixed(1)} s of processor`,
);

const sfn = new SFNClient(gateway.client);
const text = await readFile(new URL('../statemachines/batch-inference.asl.json', import.meta.url), 'utf8');
const definition = text
  .replaceAll('${Partition}', 'aws')
  .replaceAll('${BucketName}', BUCKET)
  // One process stands for all Lambdas: 16 shards at once would share its one core, and end together, on a busy machine
  // after the 15 minutes that each may take.
  .replaceAll('${FoldConcurrency}', '2')
  .replace(/\$\{(\w+)Arn\}/g, (_, name: string) => name.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase());
const { stateMachineArn } = await sfn.send(
  new CreateStateMachineCommand({
    name: 'batch-inference',
    definition,
    roleArn: 'arn:aws:iam::000000000000:role/r',
  }),
);
const began = performance.now();
const before = process.cpuUsage();
const { executionArn } = await sfn.send(
  new StartExecutionCommand({ stateMachineArn, input: JSON.stringify({ schema: 1, run: RUN }) }),
);
let status = 'RUNNING';
while (status === 'RUNNING') {
  await sleep(500);
  peak = Math.max(peak, process.memoryUsage().rss);
  const found = await sfn.send(new DescribeExecutionCommand({ executionArn }));
  status = found.status ?? '';
  if (status !== 'RUNNING' && status !== 'SUCCEEDED') console.log(found.error, found.cause);
}
const { user, system } = process.cpuUsage(before);
console.log(
  `steps called: ${Object.entries(calls)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ')}`,
);
const report = Report.parse(JSON.parse((await store.readText(bucketLayout.reportJson(PARTS))) ?? '{}'));
console.log(
  `${status}: ${report.records} records, accuracy ${report.accuracy}, ${report.errors} errors; ` +
    `${((user + system) / 1e6).toFixed(1)} s of processor for S3, states and steps together, ` +
    `${((performance.now() - began) / 1000).toFixed(1)} s by the clock, ${(peak / 2 ** 20).toFixed(0)} MiB at most`,
);
sfn.destroy();
s3.destroy();
await gateway.close();
await rm(dir, { recursive: true, force: true });
