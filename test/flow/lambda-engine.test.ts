import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { rowNetwork } from '../../packages/model-container/test/support/row-network.ts';
import { type EndpointRequest, startEndpointChange } from '../../src/app/endpoint/start-endpoint-change.ts';
import { sumBundles } from '../../src/app/engine/lambda/lambda-engine.ts';
import { openOutputs } from '../../src/app/outputs/open-outputs.ts';
import { changeJson, servedJson } from '../../src/app/records/endpoint.ts';
import { readJobRecords } from '../../src/app/records/jobs.ts';
import { planJson } from '../../src/app/records/plan.ts';
import { addSpeeds } from '../../src/app/records/speeds.ts';
import { cancel } from '../../src/app/run/cancel.ts';
import { functionLogs } from '../../src/aws/logs/endpoint-logs.ts';
import type { ExecutionDescription } from '../../src/aws/states/executions.ts';
import { logsOf } from '../../src/cli/job-logs.ts';
import { liveVariant, type Served } from '../../src/endpoint/served.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { MEMORY_HOUR, PREDICT_MEMORY_MB } from '../../src/transform/predict-function.ts';
import { aRun } from '../support/a-run.ts';
import { askApi } from '../support/ask-api.ts';
import { comparableReport } from '../support/comparable-report.ts';
import type { Laptop } from '../support/laptop.ts';
import { packedTar } from '../support/packed-tar.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'onnx-fashion-mnist');

let laptop: Laptop;
let images: Record<string, Uint8Array>;
onSharedLaptop(async (shared) => {
  laptop = shared;
  images = await laptop.images(100);
});

async function give(pipeline: string, change: (config: any) => void = () => undefined): Promise<void> {
  const { store } = laptop.application;
  const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  config.drop = { quietSeconds: 60 };
  config.gate = { minAccuracy: 0.5 };
  config.endpoint = { deploy: 'never' };
  change(config);
  await store.write(bucketLayout.pipelineModel(pipeline), await readFile(path.join(EXAMPLE, 'model.tar.gz')));
  await store.write(bucketLayout.pipelineConfig(pipeline), JSON.stringify(config));
}

/** Each input with its answer. */
async function answersOf(run: string, inputs: object = images): Promise<Map<string, string>> {
  const { store } = laptop.application;
  const parts = aRun(run);
  const plan = await planJson(parts).require(store);
  const outputs = openOutputs(store, parts, plan);
  const found = new Map<string, string>();
  const names = Object.keys(inputs).map((name) => `${plan.input.prefix}${name}`);
  for await (const [name, answer] of outputs.lookUp(names)) {
    const bytes = await outputs.read(answer?.key);
    found.set(name.slice(plan.input.prefix.length), Buffer.from(bytes!).toString());
  }
  return found;
}

it('a run of engine lambda answers each image, byte for byte, as one of engine sagemaker', async () => {
  await give('instances');
  await give('functions', (config) => (config.transform.engine = 'lambda'));
  await laptop.upload('instances', 'monday', images);
  await laptop.upload('functions', 'monday', images);
  const ended = [
    await laptop.await('instances/monday/000001'),
    await laptop.await('functions/monday/000001'),
  ];

  expect(ended.map(({ success }) => success)).toEqual([true, true]);
  const [one, other] = ended.map(({ report }) => report);
  expect(other).toMatchObject({ status: 'completed', total: 100, errors: 0, correct: one!.correct });
  expect(other!.jobs).toMatchObject([{ hardware: '6 × Lambda 1769 MB', status: 'Completed', objects: 100 }]);
  expect(other!.costUsd).toBeGreaterThan(0);
  expect(other!.setup?.runtimes).toEqual([expect.stringMatching(/^onnxruntime \d/)]);
  expect(await answersOf('functions/monday/000001')).toEqual(await answersOf('instances/monday/000001'));
});

it('the example, whose script runs in Pyodide, answers each image byte for byte as its container', async () => {
  for (const [pipeline, engine] of [
    ['containers', 'sagemaker'],
    ['scripts', 'lambda'],
    ['tarred', 'lambda'],
  ] as const)
    await laptop.givePipeline(pipeline, (config) => {
      config.transform.engine = engine;
      config.gate = { minAccuracy: 0.1, confidence: 0.95 };
      if (pipeline === 'scripts') config.endpoint = { type: 'lambda', deploy: 'when-gate-passes' };
    });
  const dropped = { ...images, 'bag.png': Buffer.from('no image') };
  await laptop.upload('containers', 'monday', dropped);
  await laptop.upload('scripts', 'monday', dropped);
  await laptop.upload('tarred', 'monday', { 'a.tar': await packedTar(dropped) });
  const [container, functions, tarred] = [
    await laptop.await('containers/monday/000001'),
    await laptop.await('scripts/monday/000001'),
    await laptop.await('tarred/monday/000001'),
  ].map(({ report }) => report!);

  expect(functions).toMatchObject({
    status: 'completed-with-errors',
    total: 101,
    errors: 1,
    correct: container!.correct,
  });
  expect(comparableReport(functions!)).toEqual(comparableReport(container!));
  expect(comparableReport(tarred!)).toEqual(comparableReport(functions!));
  expect(functions!.jobs[0]!.hardware).toContain('Lambda');
  expect(functions!.setup?.runtimes).toEqual([expect.stringContaining('SavedModel converted to ONNX')]);
  const [one, other] = [
    await answersOf('containers/monday/000001'),
    await answersOf('scripts/monday/000001'),
  ];
  expect(one.size).toBe(100);
  expect(other).toEqual(one);

  const [[name, body] = []] = Object.entries(images);
  await servedBy('scripts/monday/000001');
  expect(await (await ask('scripts', body!, '?raw=1')).text()).toBe(one.get(name!));

  // A function that starts opens what PrepareModel has converted: the archive may be away.
  const { store } = laptop.application;
  const { model } = await planJson(aRun('scripts/monday/000001')).require(store);
  const key = bucketLayout.model(model.sha256);
  const archive = await store.readBytes(key);
  await store.delete(key);
  const served = await processesOf('serve-model');
  expect(served).not.toEqual([]);
  for (const pid of served) process.kill(pid, 'SIGKILL');
  const again = await laptop.until(async () => {
    const answer = await ask('scripts', body!, '?raw=1');
    return answer.ok ? answer.text() : undefined;
  });
  expect(again).toBe(one.get(name!));
  await store.write(key, archive!);
});

it('functions that are killed while they predict lose nothing', async () => {
  await give('killed', (config) => {
    config.transform.engine = 'lambda';
    config.transform.maxConcurrency = 2;
  });
  await laptop.upload('killed', 'monday', images);
  const { store } = laptop.application;
  const parts = aRun('killed/monday/000001');
  let killed = 0;
  const killing = laptop.until(async () => {
    const begun = store.list(`${bucketLayout.run(parts)}shards/`)[Symbol.asyncIterator]();
    if ((await begun.next()).done === true) return undefined;
    for (const pid of await processesOf('predict-shard')) {
      process.kill(pid, 'SIGKILL');
      killed += 1;
    }
    return true;
  });
  const [{ report, success }] = await Promise.all([laptop.await('killed/monday/000001'), killing]);

  expect(killed).toBeGreaterThan(0);
  expect(success).toBe(true);
  expect(report).toMatchObject({ status: 'completed', total: 100, records: 100, errors: 0 });
  expect(await answersOf('killed/monday/000001')).toEqual(await answersOf('instances/monday/000001'));
});

it('a canceled run ends when its functions have, and counts what they cost', async () => {
  const { application } = laptop;
  const { store } = application;
  const run = 'unwanted/monday/000001';
  const parts = aRun(run);
  const script = `
import time
print('imported')
def handler(data, context):
    print('asked')
    time.sleep(0.1)
    return '[0.5, 0.5]', 'application/json'
`;
  await laptop.givePipeline('unwanted', (config) => {
    config.transform.engine = 'lambda';
    config.transform.maxConcurrency = 1;
  });
  await store.write(
    bucketLayout.pipelineModel('unwanted'),
    await rowNetwork({ 'code/inference.py': script }),
  );
  await laptop.upload('unwanted', 'monday', await laptop.images(40));
  const begun = bucketLayout.shardProgress(parts, 'parts/1', 0);
  await laptop.until(() => store.describe(begun));
  await cancel({ run: parts, by: 'ann' }, { ...application, clock: () => new Date() });
  const { report, message } = await laptop.outcome(run);

  expect(report.failure).toMatchObject({ error: 'Canceled', cause: 'Canceled by ann.' });
  expect(message.body).toContain('Canceled by ann.');
  const [job] = report.jobs;
  expect(job).toMatchObject({ status: 'Stopped', hardware: '1 × Lambda 1769 MB' });
  const { gigabyteMs, underWay } = await sumBundles(store, parts, 'parts/1', new Date());
  const { cost } = await planJson(parts).require(store);
  expect(underWay).toBe(0);
  // The function was at its bundle, which takes four seconds, and is paid for to its end.
  expect(gigabyteMs).toBeGreaterThan(4_000);
  expect(job!.costUsd).toBeCloseTo((gigabyteMs / 3_600_000) * cost.pricesUsd[MEMORY_HOUR]!, 6);
  expect(report.costUsd).toBe(job!.costUsd);
  const left = await Array.fromAsync(store.list(`${bucketLayout.run(parts)}shard-results/`));
  expect(left).toEqual([]);
  const { lambda } = logsOf(application);
  const [record] = await readJobRecords(store, parts);
  const lines = await Array.fromAsync(lambda.all(record!));
  const printed = lines.filter(({ source }) => source === 'handler').map(({ text }) => text);
  expect(printed[0]).toBe('imported');
  expect(new Set(printed)).toEqual(new Set(['imported', 'asked']));
});

it('auto takes the functions for a few inputs', async () => {
  await give('chosen', (config) => (config.transform.engine = 'auto'));
  await laptop.upload('chosen', 'monday', await laptop.images(5));
  const { report } = await laptop.await('chosen/monday/000001');
  expect(report!.jobs[0]!.hardware).toContain('Lambda');
  expect(report!.notes.join('\n')).toContain('lambda is taken, which is cheaper');
});

it('auto takes instances where functions are dearer or cannot run the pipeline or its script, and says why', async () => {
  const { store } = laptop.application;
  const few = await laptop.images(5);
  await give('dear', (config) => (config.transform.engine = 'auto'));
  await addSpeeds(store, 'dear', [
    {
      run: 'chosen/monday/000001',
      at: '2026-11-01T12:00:00.000Z',
      model: 'a'.repeat(64),
      objects: 5,
      engine: { name: 'lambda', memoryMB: PREDICT_MEMORY_MB, maxConcurrency: 6 },
      bundled: true,
      startSeconds: 1,
      startupSeconds: 1,
      workSeconds: 200,
      inputsPerSecond: 0.005,
      costUsd: null,
    },
  ]);
  await give('joined', (config) => Object.assign(config.transform, { engine: 'auto', assembleWith: 'Line' }));
  await laptop.givePipeline('scripted', (config) => (config.transform.engine = 'auto'));
  // What an import in a branch needs is known only when the script runs.
  const script = 'if True:\n    import numpy\ndef handler(data, context): ...\n';
  await store.write(
    bucketLayout.pipelineModel('scripted'),
    await rowNetwork({ 'code/inference.py': script }),
  );
  for (const pipeline of ['dear', 'joined', 'scripted']) await laptop.upload(pipeline, 'monday', few);
  const [dear, joined] = [
    await laptop.await('dear/monday/000001'),
    await laptop.await('joined/monday/000001'),
  ];
  for (const { report } of [dear, joined]) {
    expect(report).toMatchObject({ status: 'completed', total: 5, errors: 0 });
    expect(report!.jobs[0]!.hardware).toContain('ml.');
  }
  expect(dear.report!.notes.join('\n')).toMatch(
    /sagemaker is quoted at .*, lambda is quoted at .*; sagemaker is taken, which is cheaper/,
  );
  expect(joined.report!.notes.join('\n')).toContain(
    'sagemaker is taken, since lambda cannot run this: transform.assembleWith must be "None"',
  );

  // The containers of this machine have no numpy either: those of AWS have.
  const { report, message } = await laptop.outcome('scripted/monday/000001');
  const plan = await planJson(aRun('scripted/monday/000001')).require(store);
  expect(plan.engine.name).toBe('sagemaker');
  expect(plan.notes.join('\n')).toMatch(/sagemaker is taken, since lambda cannot run this: .*numpy/);
  expect(report.failure).toMatchObject({ error: 'ModelRefused' });
  expect(message.body).toContain('sagemaker is taken, since lambda cannot run this');
});

it('a model that the function cannot open is refused before a job', async () => {
  const { store } = laptop.application;
  await give('broken', (config) => (config.transform.engine = 'lambda'));
  const broken = await modelArchive({ 'model.onnx': Buffer.from([8, 8]) });
  await store.write(bucketLayout.pipelineModel('broken'), broken);
  await laptop.upload('broken', 'monday', await laptop.images(1));
  const { message } = await laptop.outcome('broken/monday/000001');
  expect(JSON.stringify(message)).toContain('model.onnx');
});

it('a run whose gate has passed is served by a function, and so is the next one, until it is deleted', async () => {
  const { store, endpointPrefix } = laptop.application;
  const few = Object.fromEntries(Object.entries(images).slice(0, 40));
  const [[name, image] = []] = Object.entries(few);
  const asked = async () => {
    const answer = await ask('served', image!);
    return { status: answer.status, value: (await answer.json()) as any };
  };
  const serve = async (drop: string, release: string) => {
    await give('served', (config) => {
      config.transform.engine = 'lambda';
      config.endpoint = { type: 'lambda', deploy: 'when-gate-passes' };
      config.model.environment = { RELEASE: release };
    });
    await laptop.upload('served', drop, few);
    return servedBy(`served/${drop}/000001`);
  };

  expect(await serve('monday', 'one')).toMatchObject({
    status: 'in-service',
    hourlyUsd: null,
    expiresAt: null,
  });
  expect(await asked()).toMatchObject({ status: 200, value: { run: 'served/monday/000001' } });
  const answers = await answersOf('served/monday/000001', few);
  expect(await (await ask('served', image!, '?raw=1')).text()).toBe(answers.get(name!));

  const lines = await functionLogs(`${endpointPrefix}-serve-model`, 'served', new Date(0), 100);
  expect(lines.map(({ text }) => text).join('\n')).toContain('INVOCATION_SUCCEEDED');

  const before = (await servedJson('served').read(store))!.live;
  const { live } = await serve('tuesday', 'two');
  expect(live).not.toBe(before);
  // The function predict reads who serves every ten seconds.
  await laptop.until(async () => ((await asked()).value.variant === live ? true : undefined));

  // Scaled otherwise, the images are answered otherwise: the model fails on its candidate, and nothing of it stays.
  const kept = await functionDocuments('served');
  const tuesday = planJson(aRun('served/tuesday/000001'));
  const plan = await tuesday.require(store);
  const environment = { ...plan.model.environment };
  const settings = JSON.parse(environment.INFERDROP_ONNX_IMAGES!);
  environment.INFERDROP_ONNX_IMAGES = JSON.stringify({ ...settings, scale: 1 });
  await tuesday.write(store, { ...plan, model: { ...plan.model, environment } });
  const refused = await change('wrong', { action: 'deploy', pipeline: 'served', run: plan.run });
  expect(refused.status).toBe('FAILED');
  expect(refused.cause).toContain('the endpoint answered');
  expect(await functionDocuments('served')).toEqual(kept);
  expect(await asked()).toMatchObject({ status: 200, value: { variant: live } });

  const ended = await change('over', { action: 'delete', pipeline: 'served', reason: 'over' });
  expect(ended.status).toBe('SUCCEEDED');
  expect(await servedJson('served').read(store)).toBeUndefined();
  expect(await functionDocuments('served')).toEqual([]);
  expect(await functionDocuments('scripts')).toHaveLength(2);
});

/** One input to the prediction API. */
function ask(pipeline: string, body: Uint8Array, query = ''): Promise<Response> {
  const url = new URL(`${laptop.application.apiUrl}/predict/${pipeline}${query}`);
  return askApi({ method: 'POST', url, headers: { 'content-type': 'image/png' }, body });
}

/** What serves a run's pipeline, once it is the run's model and the deployment has ended. */
function servedBy(run: string): Promise<Served> {
  const { store } = laptop.application;
  const { pipeline } = aRun(run);
  return laptop.until(async () => {
    const served = await servedJson(pipeline).read(store);
    const isEnded = (await changeJson(pipeline).read(store)) === undefined;
    return liveVariant(served)?.run === run && isEnded ? served : undefined;
  });
}

/** Changes an endpoint, and waits for the end of that. */
async function change(key: string, request: EndpointRequest): Promise<ExecutionDescription> {
  const { endpointChanges } = laptop.application;
  const { arn } = await startEndpointChange(endpointChanges, request, key);
  return laptop.until(async () => {
    const found = await endpointChanges.describe(arn);
    return found?.status === 'RUNNING' ? undefined : found;
  });
}

/** The documents that are a pipeline's endpoint of type lambda. */
async function functionDocuments(pipeline: string): Promise<string[]> {
  const found = await Array.fromAsync(laptop.application.store.list('functions/'));
  return found.map(({ key }) => key).filter((key) => key.includes(`-${pipeline}-`));
}

/** Processes of a function. */
async function processesOf(name: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (text.includes(laptop.dataDir) && text.includes(name)) found.push(Number(pid));
  }
  return found;
}
