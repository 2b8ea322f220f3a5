/**
 * Time that our API adds to a direct InvokeEndpoint, on the laptop stack, with the same container behind both. The callers are a
 * process of their own; direct and API take turns, so that whatever else the machine does hits both.
 *
 *     node lab/bench/predict.ts [MODEL_FOLDER]
 *     python lab/bench/make_networks.py FOLDER && node lab/bench/predict.ts FOLDER/cifar10
 *
 * The model is the example's unless a folder is named. What the API adds is the same for each, so its part of the whole
 * depends on how much there is to compute.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { Served } from '../../src/endpoint/served.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { startLaptop } from '../../test/support/laptop.ts';
import type { CallersTask } from './predict-callers.ts';
import { readBenchModel } from './predict-model.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const PIPELINE = 'bench';
/** Images of the run that deploys the model; its smoke test takes 20. */
const IMAGES = 40;
const CALLERS = fileOf('./predict-callers.ts');
const BUNDLE = path.join(import.meta.dirname, '..', '..', 'build', 'functions', 'predict.zip');

const [folder = EXAMPLE] = process.argv.slice(2);
const { archive, images, classCount } = await readBenchModel(folder, IMAGES);
const laptop = await startLaptop();
try {
  await laptop.givePipeline(PIPELINE, (config) => {
    config.gate = { minAccuracy: 0, maxErrorRate: 1, minInputs: 1, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 1 };
    config.labels = {
      classes: Array.from({ length: classCount }, (_, index) => `class-${index}`),
      // Some number, for there is no gate without a truth.
      truth: { from: 'key', pattern: String.raw`(\d)\.png$` },
    };
  });
  const { store } = laptop.application;
  await store.write(bucketLayout.pipelineModel(PIPELINE), archive);
  await laptop.upload(PIPELINE, 'd', images);
  await laptop.await(`${PIPELINE}/d/000001`);
  const served = await laptop.until(async () => {
    const text = await store.readText(bucketLayout.served(PIPELINE));
    const found = text === undefined ? undefined : Served.parse(JSON.parse(text));
    return found?.status === 'in-service' ? found : undefined;
  });

  const { stack } = laptop;
  const before = stack.find('inferdrop-dev');
  // The limits of the template keep costs in check; here they would be measured.
  const { outputs } = await stack.deploy({
    stackName: before.stackName,
    template: before.template,
    parameters: { ...before.parameters, PredictRateLimit: '100000', PredictBurstLimit: '100000' },
  });
  const task: CallersTask = {
    endpoint: stack.endpoint,
    endpointName: served.endpointName,
    apiUrl: `${outputs.find(({ key }) => key === 'ApiUrl')?.value}/predict/${PIPELINE}`,
    region: stack.site.region,
    image: Buffer.from(Object.values(images)[0] ?? []).toString('base64'),
  };
  console.log(`model: ${path.relative('', folder)}; load ${loadavg()[0]?.toFixed(1)}`);
  console.log(`predict.zip: ${(statSync(BUNDLE).size / 1000).toFixed(0)} kB`);
  const callers = fork(CALLERS, [JSON.stringify(task)]);
  const [code] = await once(callers, 'exit');
  process.exitCode = Number(code);
} finally {
  await laptop.close();
}

function fileOf(relative: string): string {
  return path.resolve(import.meta.dirname, relative);
}
