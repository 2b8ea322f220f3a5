/**
 * The function of engine lambda beside a bare loop on the same images and model, each in a process of its own:
 *
 *     node lab/bench/predict-shard.ts [FOLDER] [--repeat 2] [--rounds 3]
 *
 * FOLDER has `model.onnx` or `model.tar.gz` with one, `pipeline.json` of framework "onnx" and, if they are not those of
 * examples/fashion-mnist, `images/`; default examples/onnx-fashion-mnist. `--repeat` packs each image so often.
 *
 * Ours: the run is planned and its tar opened by the use cases, over an S3 in memory; what is measured is `predict-shard` for all bundles,
 * from the reading of the inputs to the answers written. The loop: one thread, pngjs decodes, onnxruntime runs batches of 8, and nothing is
 * written. They take turns; the best round of each counts, by processor time.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { modelOpener } from '../../functions/runtime/open-model.ts';
import { predictShard } from '../../src/app/engine/lambda/predict-shard.ts';
import { readBundleItems } from '../../src/app/records/bundle-items.ts';
import { planJson } from '../../src/app/records/plan.ts';
import { keepArchive } from '../../src/app/run/keep-archive.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseS3Uri } from '../../src/text/s3-uri.ts';
import { BundleHead } from '../../src/transform/output-bundle.ts';
import { PREDICT_MEMORY_MB } from '../../src/transform/predict-function.ts';
import { PARTS } from '../../test/support/drop-fixture.ts';
import { packedTar } from '../../test/support/packed-tar.ts';
import { frozenFiles, planWithTars } from '../../test/support/tar-drop.ts';
import { bareOnnxLoop, readOnnxSubject } from './transform/onnx-subject.ts';

const LIST = 'parts/1';
/** Rounds of a process, of which the best counts. */
const ROUNDS_A_TURN = 3;
const Cost = z.object({ seconds: z.number(), cpuSeconds: z.number() });
type Cost = z.infer<typeof Cost>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeat: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    side: { type: 'string' },
  },
});
const [folder = 'examples/onnx-fashion-mnist'] = positionals;
const subject = await readOnnxSubject(folder, Number(values.repeat));

/** A run of tars, planned and opened; the work is its bundles. */
async function shards(): Promise<() => Promise<void>> {
  const { config, archive, images } = subject;
  const members = images.map((image, at) => [`${String(at).padStart(7, '0')}.png`, image] as const);
  const pipeline = {
    ...config,
    // Members have numbers for names, and no labels.
    gate: null,
    endpoint: { deploy: 'never' },
    transform: { contentType: 'application/x-image', engine: 'lambda', maxConcurrency: 1 },
  };
  const files = { 'images.tar': await packedTar(members) };
  const store = await frozenFiles(files, { pipeline, archive });
  await planWithTars(store);
  const { model } = await planJson(PARTS).require(store);
  const { bucket = '', key = '' } = parseS3Uri(model.artifact) ?? {};
  await keepArchive(store, model.sha256, { bucket, key, etag: model.artifactEtag });
  const clock = (): Date => new Date();
  const services = {
    store,
    clock,
    openModel: modelOpener(store),
    memoryMB: PREDICT_MEMORY_MB,
    peakMB: () => 0,
    ticks: () => () => undefined,
    startMs: () => 0,
  };
  const bundles = await readBundleItems(store, PARTS, LIST);
  const run = bucketLayout.run(PARTS);
  return async () => {
    // A repeated call goes on where the one before has stopped: each round is a first call.
    for (const key of store.keys(run)) if (/\/(?:shards|predictions)\//.test(key)) store.remove(key);
    for (const bundle of bundles) {
      const { isDone } = await predictShard({ ...bundle, what: 'bundle', run: PARTS, list: LIST }, services);
      if (!isDone) throw new Error(`bundle ${bundle.bundle} took too long`);
      const [head = ''] =
        store.text(bucketLayout.bundleOutput(PARTS, LIST, bundle.bundle))?.split('\n') ?? [];
      const { inputs, failed } = BundleHead.parse(JSON.parse(head));
      if (inputs !== bundle.inputs || failed.length > 0) throw new Error(`bundle ${bundle.bundle}: ${head}`);
    }
  };
}

/** Best of some rounds after one that warms up. */
async function measure(work: () => Promise<void>): Promise<Cost> {
  await work();
  let best: Cost = { seconds: Infinity, cpuSeconds: Infinity };
  for (let round = 0; round < ROUNDS_A_TURN; round++) {
    const [started, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    const cpuSeconds = (user + system) / 1e6;
    if (cpuSeconds < best.cpuSeconds) best = { seconds: (performance.now() - started) / 1_000, cpuSeconds };
  }
  return best;
}

const SIDES = { ours: shards, loop: () => bareOnnxLoop(subject) } as const;
type Side = keyof typeof SIDES;

function turn(side: Side): Cost {
  const args = [import.meta.filename, folder, '--repeat', values.repeat, '--side', side];
  return Cost.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })));
}

if (values.side === 'ours' || values.side === 'loop') {
  console.log(JSON.stringify(await measure(await SIDES[values.side]())));
  process.exit();
}
const best = { ours: turn('ours'), loop: turn('loop') };
for (let round = 1; round < Number(values.rounds); round++)
  for (const side of ['ours', 'loop'] as const) {
    const cost = turn(side);
    if (cost.cpuSeconds < best[side].cpuSeconds) best[side] = cost;
  }
const count = subject.images.length;
const line = (name: string, { seconds, cpuSeconds }: Cost): string =>
  `${name.padEnd(30)}${(count / seconds).toFixed(0).padStart(7)} images/s ${((cpuSeconds * 1_000) / count).toFixed(3).padStart(8)} ms of processor an image`;
console.log(`${folder}: ${count} images`);
console.log(line('predict-shard, answers written', best.ours));
console.log(line('bare loop', best.loop));
console.log(
  `ours: ${(best.loop.seconds / best.ours.seconds).toFixed(2)} times the rate, ${(best.loop.cpuSeconds / best.ours.cpuSeconds).toFixed(2)} by processor time`,
);
