/**
 * Processor time of a container for bundles of 64 images beside single requests, on the same images and model:
 *
 *     npm run bench -- bundles examples/fashion-mnist [--rounds 5]
 *     npm run bench -- bundles examples/fashion-mnist --engine python
 *     npm run bench -- bundles examples/fashion-mnist --framework pytorch --model examples/pytorch-fashion-mnist
 *
 * All processes count, that of the handler included. The classes of all images are compared. `--engine python` has TensorFlow itself run the
 * SavedModel, and `--handlers python` the handler in Python in place of Pyodide, as a container of SageMaker does.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { pack } from 'tar-stream';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { createContainerClient } from '../../packages/laptop/sagemaker/jobs/invoke-container.ts';
import { bundleFiles } from '../../src/model/bundle/bundle-files.ts';
import { OutputBundle } from '../../src/transform/output-bundle.ts';
import { usedByOwnTree } from './process-tree.ts';
import { readImages, readModel } from './subject.ts';

const BUNDLE = 64;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    framework: { type: 'string', default: 'tensorflow' },
    model: { type: 'string' },
    engine: { type: 'string', default: 'onnxruntime' },
    handlers: { type: 'string', default: 'pyodide' },
  },
});
const engine = chosen('engine', ['onnxruntime', 'python']);
const handlers = chosen('handlers', ['pyodide', 'python']);
const IMAGE =
  values.framework === 'pytorch'
    ? 'r/pytorch-inference:2.6.0-cpu-py312'
    : 'r/tensorflow-inference:2.19.0-cpu';
const folder = positionals[0] ?? 'examples/fashion-mnist';
const images = readImages(folder);
const modelDir = await readModel(values.model ?? folder);
const bundledDir = mkdtempSync(join(tmpdir(), 'bundled-'));
cpSync(modelDir, bundledDir, { recursive: true });
const own = readFileSync(join(modelDir, 'code/inference.py'));
for (const { name, body } of bundleFiles(values.framework === 'pytorch' ? 'pytorch' : 'tensorflow', own))
  writeFileSync(join(bundledDir, name), body);

function chosen<T extends string>(option: 'engine' | 'handlers', known: readonly T[]): T {
  const found = known.find((one) => one === values[option]);
  if (found === undefined) throw new Error(`--${option} must be ${known.join(' or ')}, is ${values[option]}`);
  return found;
}

const bundles: Buffer[] = [];
for (let from = 0; from < images.length; from += BUNDLE) {
  const tar = pack();
  const some = images.slice(from, from + BUNDLE);
  const about = { inputs: some.length, contentType: 'application/x-image' };
  tar.entry({ name: 'bundle.json' }, JSON.stringify(about));
  for (const [at, image] of some.entries()) tar.entry({ name: String(at).padStart(6, '0') }, image);
  tar.finalize();
  bundles.push(await buffer(tar));
}

async function contender(dir: string, bodies: readonly Buffer[], type: string, atOnce: number) {
  const host = createContainerHost({ engine, handlers })({
    ...{ image: IMAGE, modelDir: dir, environment: {}, networkIsolation: false },
    log: () => undefined,
  });
  const container = createContainerClient(await host.listening, new AbortController().signal);
  const work = async (): Promise<Buffer[]> => {
    const answers: Buffer[] = [];
    let next = 0;
    const send = async () => {
      for (let at = next++; at < bodies.length; at = next++) {
        const headers = { 'content-type': type, accept: 'application/json' };
        const answer = await container.invoke(bodies[at] ?? Buffer.of(), headers, 60_000);
        if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.toString()}`);
        answers[at] = answer.body;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    return answers;
  };
  return { work, stop: () => host.stop(), best: Infinity };
}

const single = await contender(modelDir, images, 'application/x-image', 8);
const bundled = await contender(bundledDir, bundles, 'application/x-tar', 2);
const alone = await single.work();
const together = (await bundled.work()).flatMap((body, bundle) => {
  const read = new OutputBundle(body);
  return alone.slice(bundle * BUNDLE, (bundle + 1) * BUNDLE).map((_, at) => read.answer(at));
});
const classOf = (answer: Uint8Array | undefined): string => {
  const [row] = JSON.parse(Buffer.from(answer ?? '').toString()).predictions;
  const scores: number[] = Array.isArray(row) ? row : row.probabilities;
  return String(scores.indexOf(Math.max(...scores)));
};
const differing = alone.filter((answer, at) => classOf(answer) !== classOf(together[at])).length;
for (let round = 0; round < Number(values.rounds); round++)
  for (const one of [single, bundled]) {
    const before = usedByOwnTree();
    await one.work();
    one.best = Math.min(one.best, ((usedByOwnTree() - before) * 1_000) / images.length);
  }
await Promise.all([single.stop(), bundled.stop()]);
if (differing > 0) throw new Error(`${differing} of ${images.length} images have another class in a bundle`);
console.log(`${images.length} images`);
console.log(`one by one      ${single.best.toFixed(2)} ms of processor time an image`);
console.log(`bundles of ${BUNDLE}   ${bundled.best.toFixed(2)} ms`);
console.log(`${(single.best / bundled.best).toFixed(1)} times cheaper by processor time`);
