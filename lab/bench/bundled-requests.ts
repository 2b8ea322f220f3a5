/**
 * Processor time of the TensorFlow container for bundles of 64 images beside single requests, on the same images and model:
 *
 *     node lab/bench/bundled-requests.ts examples/fashion-mnist [--rounds 5]
 *
 * All processes count, that of the handler included. The classes of all images are compared.
 */
import { copyFileSync, cpSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { pack } from 'tar-stream';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { createContainerClient } from '../../packages/laptop/sagemaker/jobs/invoke-container.ts';
import { OutputBundle } from '../../src/transform/output-bundle.ts';
import { cpuSeconds } from './transform/cpu-time.ts';
import { readSubject } from './transform/subject.ts';

const IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';
const BUNDLE = 64;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const { images, modelDir } = await readSubject(positionals[0] ?? 'examples/fashion-mnist');
const bundledDir = mkdtempSync(join(tmpdir(), 'bundled-'));
cpSync(modelDir, bundledDir, { recursive: true });
renameSync(join(bundledDir, 'code/inference.py'), join(bundledDir, 'code/inferdrop_served.py'));
const handler = new URL(
  '../../packages/model-container/tensorflow/python/bundle_handler.py',
  import.meta.url,
);
copyFileSync(handler, join(bundledDir, 'code/inference.py'));

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
  const host = createContainerHost({ engine: 'onnxruntime' })({
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
const classOf = (answer: Uint8Array | undefined): string =>
  /"classes": *(\d+)/.exec(Buffer.from(answer ?? '').toString())?.[1] ?? 'none';
const differing = alone.filter((answer, at) => classOf(answer) !== classOf(together[at])).length;
for (let round = 0; round < Number(values.rounds); round++)
  for (const one of [single, bundled]) {
    const before = cpuSeconds();
    await one.work();
    one.best = Math.min(one.best, ((cpuSeconds() - before) * 1_000) / images.length);
  }
await Promise.all([single.stop(), bundled.stop()]);
console.log(`${images.length} images; ${differing} have another class in a bundle`);
console.log(`one by one      ${single.best.toFixed(2)} ms of processor time an image`);
console.log(`bundles of ${BUNDLE}   ${bundled.best.toFixed(2)} ms`);
console.log(`${(single.best / bundled.best).toFixed(1)} times cheaper by processor time`);
