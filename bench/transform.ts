/**
 * Rate of the TensorFlow container, with its HTTP server and handler, beside a bare loop on the same images and model, and
 * beside real TensorFlow under the same handler.
 *
 *     python bench/make_networks.py FOLDER
 *     node bench/transform.ts FOLDER/cifar10 [--concurrency 8] [--tensorflow PYTHON]
 *
 * The loop is one thread: pngjs decodes, onnxruntime runs batches of 8. The containers are spoken to as a transform job
 * does: one image a request, `--concurrency` at a time; what sends them runs here, too. TensorFlow is measured twice: in our
 * container (`--engine python`), and in a Python process that does all of it. One after the other, after a warm-up; the
 * best of three. The classes of all images are compared as well.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { PNG } from 'pngjs';
import * as z from 'zod';
import { createContainerHost } from '../local/sagemaker/containers/container-host.ts';
import { loadModel } from '../local/sagemaker/containers/tensorflow/engine/load-model.ts';

const IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';
const ROUNDS = 3;
const BATCH = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '8' }, tensorflow: { type: 'string' } },
});
const concurrency = Number(values.concurrency);
const [folder = ''] = positionals;
const modelDir = join(folder, 'model');
const images = readdirSync(join(folder, 'images'))
  .sort()
  .map((name) => readFileSync(join(folder, 'images', name)));
const side = PNG.sync.read(images[0]!).width;

const Answer = z.object({
  predictions: z.array(z.object({ classes: z.int(), probabilities: z.array(z.number()) })),
});
type Row = z.infer<typeof Answer>['predictions'][number];

async function best(work: () => Promise<unknown>): Promise<number> {
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
  const { onnx } = loadModel(join(modelDir, '1')).convert('serving_default');
  const session = await InferenceSession.create(onnx, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const [input = ''] = session.inputNames;
  const pixelsEach = side * side * 3;
  return async () => {
    for (let start = 0; start < images.length; start += BATCH) {
      const batch = images.slice(start, start + BATCH);
      const pixels = new Float32Array(batch.length * pixelsEach);
      batch.forEach((file, index) => {
        const { data } = PNG.sync.read(file);
        for (let pixel = 0; pixel < side * side; pixel++) {
          for (let channel = 0; channel < 3; channel++)
            pixels[index * pixelsEach + pixel * 3 + channel] = data[pixel * 4 + channel]!;
        }
      });
      await session.run({ [input]: new Tensor('float32', pixels, [batch.length, side, side, 3]) });
    }
  };
}

function post(url: URL, agent: Agent, body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-image',
      accept: 'application/json',
      'content-length': body.length,
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks));
        else reject(new Error(`The container answered ${response.statusCode}: ${Buffer.concat(chunks)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function throughContainer(endpoint: URL): () => Promise<Buffer[]> {
  const url = new URL('/invocations', endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  return async () => {
    const answers: Buffer[] = [];
    let next = 0;
    const client = async () => {
      for (let index = next++; index < images.length; index = next++)
        answers[index] = await post(url, agent, images[index]!);
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    return answers;
  };
}

async function measure(endpoint: URL): Promise<{ rate: number; rows: Row[] }> {
  const work = throughContainer(endpoint);
  const rows = (await work()).map((answer) => Answer.parse(JSON.parse(answer.toString())).predictions[0]!);
  return { rate: await best(work), rows };
}

async function measureContainer(engine: 'onnxruntime' | 'python') {
  const container = createContainerHost({ engine })({
    image: IMAGE,
    modelDir,
    environment: {},
    log: () => {},
  });
  try {
    return await measure(await container.listening);
  } finally {
    await container.stop();
  }
}

async function measureServer(python: string) {
  const script = new URL('./tensorflow_server.py', import.meta.url).pathname;
  const server = spawn(python, [script, modelDir], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [port]: Buffer[] = await once(server.stdout, 'data');
    return await measure(new URL(`http://127.0.0.1:${String(port).trim()}`));
  } finally {
    server.kill();
  }
}

/** How far two containers' answers to the same images are apart. */
function compare(ours: readonly Row[], theirs: readonly Row[]): string {
  const same = ours.filter(({ classes }, index) => classes === theirs[index]!.classes).length;
  const differences = ours.map(({ probabilities }, index) =>
    Math.max(...probabilities.map((p, label) => Math.abs(p - theirs[index]!.probabilities[label]!))),
  );
  return `${same} of ${ours.length} classes the same, largest difference ${Math.max(...differences).toExponential(1)}`;
}

const say = (what: string, rate: number, than = '') =>
  console.log(`${what.padEnd(34)}${rate.toFixed(1).padStart(8)} images/s  ${than}`);
console.log(
  `${folder}: ${images.length} images, ${concurrency} requests at a time; load ${loadavg()[0]!.toFixed(1)}`,
);
const loop = await best(await bareLoop());
say('bare loop, onnxruntime', loop);
const ours = await measureContainer('onnxruntime');
say('container, onnxruntime', ours.rate, `${((100 * ours.rate) / loop).toFixed(0)} % of the loop`);
if (values.tensorflow !== undefined) {
  const server = await measureServer(values.tensorflow);
  say(
    'TensorFlow, a Python server',
    server.rate,
    `ours is ${(ours.rate / server.rate).toFixed(1)} times as fast`,
  );
  const theirs = await measureContainer('python');
  say('container, TensorFlow', theirs.rate, `ours is ${(ours.rate / theirs.rate).toFixed(1)} times as fast`);
  console.log(`onnxruntime and TensorFlow, same handler: ${compare(ours.rows, theirs.rows)}`);
}
console.log(`load ${loadavg()[0]!.toFixed(1)}`);
