/**
 * Rate of the TensorFlow container, with its HTTP server and handler, beside a bare loop on the same images and model.
 *
 *     node bench/transform.ts [--concurrency 8]
 *
 * The loop is one thread: pngjs decodes, onnxruntime runs batches of 8. The container is spoken to as a transform job does:
 * one image a request, `--concurrency` at a time. Both run here, one after the other, after a warm-up; the best of three.
 */
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { PNG } from 'pngjs';
import { createContainerHost } from '../local/sagemaker/containers/container-host.ts';
import { unpackModelArchive } from '../local/sagemaker/containers/model-archive.ts';
import { loadModel } from '../local/sagemaker/containers/tensorflow/engine/load-model.ts';

const IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';
const ROUNDS = 3;
const BATCH = 8;

const { values } = parseArgs({ options: { concurrency: { type: 'string', default: '8' } } });
const concurrency = Number(values.concurrency);
const example = new URL('../examples/fashion-mnist/', import.meta.url).pathname;
const images = readdirSync(join(example, 'images')).map((name) =>
  readFileSync(join(example, 'images', name)),
);
const modelDir = mkdtempSync(join(tmpdir(), 'inferdrop-bench-'));

async function best(work: () => Promise<void>): Promise<number> {
  await work();
  let seconds = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
  }
  return images.length / seconds;
}

/** The network behind the decoding, which is where the container's own ONNX model begins. */
async function bareLoop(): Promise<() => Promise<void>> {
  const { onnx } = loadModel(join(modelDir, 'fashion-mnist', '1')).convert('serving_default');
  const session = await InferenceSession.create(onnx, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const [input = ''] = session.inputNames;
  return async () => {
    for (let start = 0; start < images.length; start += BATCH) {
      const batch = images.slice(start, start + BATCH);
      const pixels = new Float32Array(batch.length * 28 * 28);
      batch.forEach((file, index) => {
        const { data } = PNG.sync.read(file);
        for (let pixel = 0; pixel < 28 * 28; pixel++) pixels[index * 28 * 28 + pixel] = data[pixel * 4]!;
      });
      await session.run({ [input]: new Tensor('float32', pixels, [batch.length, 28, 28, 1]) });
    }
  };
}

function post(url: URL, agent: Agent, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-image', accept: 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`The container answered ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function throughContainer(endpoint: URL): () => Promise<void> {
  const url = new URL('/invocations', endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  return async () => {
    let next = 0;
    const client = async () => {
      for (let image = images[next++]; image !== undefined; image = images[next++])
        await post(url, agent, image);
    };
    await Promise.all(Array.from({ length: concurrency }, client));
  };
}

await unpackModelArchive(createReadStream(join(example, 'model.tar.gz')), modelDir);
const loop = await best(await bareLoop());
console.log(`bare loop        ${loop.toFixed(0)} images/s`);
const container = createContainerHost()({ image: IMAGE, modelDir, environment: {}, log: () => {} });
const started = performance.now();
const endpoint = await container.listening;
console.log(`container up in  ${((performance.now() - started) / 1000).toFixed(1)} s`);
const served = await best(throughContainer(endpoint));
console.log(`container        ${served.toFixed(0)} images/s, ${concurrency} requests at a time`);
console.log(`ratio            ${((100 * served) / loop).toFixed(0)} %`);
await container.stop();
rmSync(modelDir, { recursive: true });
