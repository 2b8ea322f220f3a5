import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openOutputs } from '../../src/app/outputs/open-outputs.ts';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { planJson } from '../../src/app/records/plan.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../support/a-run.ts';
import { askApi } from '../support/ask-api.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'onnx-fashion-mnist');
const RUN = 'onnx/monday/000001';

let laptop: Laptop;
let images: Record<string, Uint8Array>;
onSharedLaptop(async (shared) => {
  laptop = shared;
  images = await laptop.images(40);
  // Bundles are made of 256 files and more.
  await give('onnx-bundled', (config) => {
    config.gate = { minAccuracy: 0.5 };
    config.transform.bundle = 'auto';
  });
  await laptop.upload('onnx-bundled', 'monday', { ...(await laptop.images(256)) });
});

async function give(pipeline: string, change: (config: any) => void = () => undefined): Promise<void> {
  const { store } = laptop.application;
  const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  config.drop = { quietSeconds: 60 };
  change(config);
  await store.write(bucketLayout.pipelineModel(pipeline), await readFile(path.join(EXAMPLE, 'model.tar.gz')));
  await store.write(bucketLayout.pipelineConfig(pipeline), JSON.stringify(config));
}

it('an ONNX archive without a handler gets one, and its predictions a report', async () => {
  await give('onnx', (config) => (config.gate = { minAccuracy: 0.5 }));
  await laptop.upload('onnx', 'monday', images);

  const { report, success } = await laptop.await(RUN);

  expect(success).toBe(true);
  expect(report).toMatchObject({ run: RUN, status: 'completed', total: 40, errors: 0 });
  // The network of examples/pytorch-fashion-mnist is right in 930 of the 1,000 images.
  expect(report.correct).toBeGreaterThanOrEqual(35);
  const { store } = laptop.application;
  const plan = JSON.parse((await store.readText(bucketLayout.plan(aRun(RUN))))!);
  expect(plan.model.imageUri).toContain('/pytorch-inference:2.6.0-cpu-py312');
  expect(plan.model.environment).toEqual({
    INFERDROP_ONNX_IMAGES: '{"scale":0.00392156862745098,"mean":0,"std":1,"resize":"stretch","order":"RGB"}',
  });
  expect(plan.notes.join('\n')).toContain("it is served with inferdrop's own, which opens model.onnx");
});

it('the command line uploads the example, which needs no Python, and leaves nothing beside it', async () => {
  const terminal = silentTerminal();
  expect(await runCommandLine(['pipeline', 'put', EXAMPLE, '--json'], terminal)).toBe(0);
  expect(JSON.parse(terminal.lines.at(-1)!)).toMatchObject({ files: ['model.tar.gz', 'pipeline.json'] });
  const { store } = laptop.application;
  const left: string[] = [];
  for await (const { key } of store.list('pipelines/onnx-fashion-mnist/')) left.push(key);
  expect(left.map((key) => path.posix.basename(key))).toEqual(['model.tar.gz', 'pipeline.json']);
});

it('the endpoint of its run answers as the job did', async () => {
  const { store, apiUrl } = laptop.application;
  await laptop.until(async () => {
    const served = await servedJson('onnx').read(store);
    return served?.status === 'in-service' ? served : undefined;
  });
  const [name, body] = Object.entries(images)[0]!;
  const url = new URL(`${apiUrl}/predict/onnx`);
  const response = await askApi({ method: 'POST', url, headers: { 'content-type': 'image/png' }, body });
  expect(response.status).toBe(200);
  const { run, predictions }: any = await response.json();
  expect(run).toBe(RUN);
  const output = JSON.parse((await store.readText(`${bucketLayout.predictions(aRun(RUN))}${name}.out`))!);
  const [scores] = output.predictions;
  expect(scores).toHaveLength(10);
  const { labels } = JSON.parse((await store.readText(bucketLayout.pipelineConfig('onnx')))!);
  expect(predictions[0].label).toBe(labels.classes[scores.indexOf(Math.max(...scores))]);
});

it('in bundles an image has the answer that it has alone, byte for byte, and the smoke test of an endpoint agrees', async () => {
  const { store } = laptop.application;
  const [run, alone] = ['onnx-bundled/monday/000001', RUN].map((name) => aRun(name));
  const { report } = await laptop.outcome('onnx-bundled/monday/000001');
  expect(report).toMatchObject({ status: 'completed', total: 256, errors: 0 });
  const plan = await planJson(run!).require(store);
  expect(plan.notes.join('\n')).toContain('a handler of inferdrop');
  const outputs = openOutputs(store, run!, plan);
  const names = Object.keys(images).map((name) => `${plan.input.prefix}${name}`);
  let compared = 0;
  for await (const [name, answer] of outputs.lookUp(names)) {
    const single = `${bucketLayout.predictions(alone!)}${name.slice(plan.input.prefix.length)}.out`;
    expect(Buffer.from((await outputs.read(answer!.key))!).toString()).toBe(await store.readText(single));
    compared += 1;
  }
  expect(compared).toBe(40);
  await laptop.until(async () => {
    const served = await servedJson('onnx-bundled').read(store);
    return served?.status === 'in-service' ? served : undefined;
  });
});

it('settings that would have to be guessed, and an onnxruntime that cannot be installed, are refused before a job', async () => {
  await give('unsaid', (config) => {
    delete config.model.images;
    delete config.model.networkIsolation;
  });
  await laptop.upload('unsaid', 'monday', await laptop.images(1));
  const { message } = await laptop.outcome('unsaid/monday/000001');
  const text = JSON.stringify(message);
  expect(text).toContain('set model.images to');
  expect(text).toContain('set model.networkIsolation to false');
});

it('with labels at null the answers of functions are rows that nobody judges', async () => {
  await give('onnx-answers', (config) => {
    Object.assign(config, {
      labels: null,
      report: {},
      gate: { maxErrorRate: 0.2 },
      endpoint: { deploy: 'never' },
    });
    config.transform.engine = 'lambda';
  });
  await laptop.upload('onnx-answers', 'monday', { ...images, 'not-an-image.png': Buffer.from('text') });

  const { report, success } = await laptop.await('onnx-answers/monday/000001');

  expect(success).toBe(true);
  expect(report).toMatchObject({
    task: 'none',
    total: 41,
    records: 40,
    errors: 1,
    accuracy: null,
    gate: { verdict: 'passed' },
  });
  const answers = report.answers.map(
    ({ answer }: { answer: string }) => JSON.parse(answer).predictions[0].length,
  );
  expect(answers).toEqual(Array.from({ length: 10 }, () => 10));
});
