/**
 * Rate of the TensorFlow container, with its HTTP server and handler, beside a bare loop on the same images and model, and
 * beside real TensorFlow under the same handler.
 *
 *     node lab/bench/transform.ts examples/fashion-mnist [--concurrency 8] [--rounds 5] [--tensorflow PYTHON]
 *     python lab/bench/make_networks.py FOLDER && node lab/bench/transform.ts FOLDER/cifar10
 *
 * The loop is one thread: pngjs decodes, onnxruntime runs batches of 8. The containers are spoken to by the client of a
 * transform job: one image a request, `--concurrency` at a time; what sends them runs here and counts, too. TensorFlow is
 * measured twice: in a Python process that does all of it, and in our container (`--engine python`), if it is installed.
 * All take turns, after a round that warms up; the best counts. "processor" is the time of all processes together,
 * which is what the work costs other users of the machine. The classes of all images are compared as well.
 */
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { describeEngine } from '@inferdrop/model-container/engine-environment';
import { createContainerClient } from '../../packages/laptop/sagemaker/jobs/invoke-container.ts';
import { bareLoop } from './transform/bare-loop.ts';
import { cpuSeconds } from './transform/cpu-time.ts';
import { readSubject } from './transform/subject.ts';
import { startTensorFlowServer } from './transform/tensorflow-server.ts';

const IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';
/** Connections that a server closed while the loop kept this thread busy are noticed before a turn begins. */
const PAUSE_MS = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    tensorflow: { type: 'string' },
  },
});
const concurrency = Number(values.concurrency);
const rounds = Number(values.rounds);
const [folder = ''] = positionals;
const subject = await readSubject(folder);
const { images, modelDir } = subject;

const Answer = z.object({
  predictions: z.tuple([z.object({ classes: z.int(), probabilities: z.array(z.number()) })]),
});

interface Contender {
  readonly name: string;
  /** Sends all images once; answers that it has are compared. */
  readonly work: () => Promise<readonly Buffer[]>;
  readonly stop: () => Promise<void> | void;
}

interface Result {
  readonly rate: number;
  /** Milliseconds of processor time an image. */
  readonly cost: number;
}

function client(url: URL): Contender['work'] {
  const container = createContainerClient(url, new AbortController().signal);
  const headers = { 'content-type': 'application/x-image', accept: 'application/json' };
  return async () => {
    const answers: Buffer[] = [];
    let next = 0;
    const send = async () => {
      for (let index = next++; index < images.length; index = next++) {
        const answer = await container.invoke(images[index] ?? Buffer.of(), headers, 60_000);
        if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.toString()}`);
        answers[index] = answer.body;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, send));
    return answers;
  };
}

async function container(engine: 'onnxruntime' | 'python'): Promise<Contender> {
  const started = createContainerHost({ engine })({
    image: IMAGE,
    modelDir,
    environment: {},
    networkIsolation: false,
    log: () => {},
  });
  return {
    name: `container, ${engine === 'python' ? 'TensorFlow' : engine}`,
    work: client(await started.listening),
    stop: () => started.stop(),
  };
}

async function measure({ work }: Contender): Promise<Result> {
  await setTimeout(PAUSE_MS);
  const [start, startCpu] = [performance.now(), cpuSeconds()];
  await work();
  const seconds = (performance.now() - start) / 1000;
  return { rate: images.length / seconds, cost: ((cpuSeconds() - startCpu) * 1000) / images.length };
}

/** How far two containers' answers to the same images are apart. */
function compare(ours: readonly Buffer[], theirs: readonly Buffer[]): string {
  const rowOf = (answer: Buffer) => Answer.parse(JSON.parse(answer.toString())).predictions[0];
  let same = 0;
  let largest = 0;
  ours.forEach((answer, index) => {
    const [our, their] = [rowOf(answer), rowOf(theirs[index] ?? Buffer.of())];
    if (our.classes === their.classes) same++;
    our.probabilities.forEach((value, label) => {
      largest = Math.max(largest, Math.abs(value - (their.probabilities[label] ?? Infinity)));
    });
  });
  return `${same} of ${ours.length} classes the same, largest difference ${largest.toExponential(1)}`;
}

console.log(
  `${folder}: ${images.length} images, ${concurrency} requests at a time; load ${loadavg()[0]?.toFixed(1)}`,
);
const loop = await bareLoop(subject);
const ours = await container('onnxruntime');
const contenders: Contender[] = [
  { name: 'bare loop, onnxruntime', work: () => loop().then(() => []), stop: () => {} },
  ours,
];
if (values.tensorflow !== undefined) {
  const { url, stop } = await startTensorFlowServer(values.tensorflow, modelDir);
  const server = { name: 'TensorFlow, a Python server', work: client(url), stop };
  contenders.push(server, ...(describeEngine('tensorflow').installed ? [await container('python')] : []));
}
try {
  const warm = new Map<Contender, readonly Buffer[]>();
  for (const contender of contenders) warm.set(contender, await contender.work());
  const results = new Map<Contender, Result[]>();
  for (let round = 0; round < rounds; round++)
    for (const contender of contenders)
      results.set(contender, [...(results.get(contender) ?? []), await measure(contender)]);
  const bestOf = (contender: Contender): Result => ({
    rate: Math.max(...(results.get(contender) ?? []).map(({ rate }) => rate)),
    cost: Math.min(...(results.get(contender) ?? []).map(({ cost }) => cost)),
  });
  const our = bestOf(ours);
  for (const contender of contenders) {
    const { rate, cost } = bestOf(contender);
    const ratios =
      contender === ours
        ? ''
        : `ours: ${(our.rate / rate).toFixed(2)} times the rate, ${(cost / our.cost).toFixed(2)} by processor time`;
    console.log(
      `${contender.name.padEnd(28)}${rate.toFixed(1).padStart(8)} images/s ${cost.toFixed(2).padStart(8)} ms of processor  ${ratios}`,
    );
  }
  for (const [contender, answers] of warm) {
    if (contender !== ours && answers.length > 0)
      console.log(`${contender.name}: ${compare(warm.get(ours) ?? [], answers)}`);
  }
} finally {
  for (const { stop } of contenders) await stop();
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
