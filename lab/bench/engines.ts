/**
 * The same images through both engines on this machine's stack, from the last upload to the report:
 *
 *     node lab/bench/engines.ts [--images 1000] [--form objects|tars] [--engine sagemaker|lambda] [--handler]
 *
 * The images are those of examples/fashion-mnist, as often as it takes; tars have 10,000 each. The model is that of
 * examples/onnx-fashion-mnist, or with `--handler` the SavedModel of examples/fashion-mnist and its script. `--engine` leaves the other out.
 * The engines follow one another on one stack. Processor time and memory are those of all processes of the stack, this one among them; memory
 * is proportional (PSS): a page that n processes share counts an nth for each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../packages/laptop/kernel/clock.ts';
import { planJson } from '../../src/app/records/plan.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../../test/support/a-run.ts';
import { startLaptop } from '../../test/support/laptop.ts';
import { packedTar } from '../../test/support/packed-tar.ts';
import { watchStack } from './stack-watch.ts';

const MEMBERS = 10_000;
/** Tars are made in the stack's own process, whose memory is measured. */
const UPLOADS_AT_ONCE = { objects: 8, tars: 1 };

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '1000' },
    form: { type: 'string', default: 'objects' },
    engine: { type: 'string' },
    handler: { type: 'boolean', default: false },
  },
});
const count = Number(values.images);
const example = path.join('examples', values.handler ? 'fashion-mnist' : 'onnx-fashion-mnist');
const folder = path.join('examples', 'fashion-mnist', 'images');
const once = readdirSync(folder)
  .sort()
  .map((name) => ({
    label: /_(.+)\.png$/.exec(name)?.[1] ?? '',
    body: readFileSync(path.join(folder, name)),
  }));

const laptop = await startLaptop(undefined, undefined, { clock: systemClock });
const { store } = laptop.application;
try {
  console.log(`${count} images of 28 × 28, ${values.form}, the model of ${example}`);
  for (const engine of ['sagemaker', 'lambda'].filter(
    (one) => values.engine === undefined || values.engine === one,
  ))
    await measure(engine);
} finally {
  await laptop.close();
}

async function measure(engine: string): Promise<void> {
  const config = JSON.parse(readFileSync(path.join(example, 'pipeline.json'), 'utf8'));
  await store.write(bucketLayout.pipelineModel(engine), readFileSync(path.join(example, 'model.tar.gz')));
  const own = {
    ...config,
    transform: { ...config.transform, engine },
    endpoint: { deploy: 'never' },
    limits: { maxRuntimeMinutes: 1_440, maxCostUsd: null },
  };
  await store.write(bucketLayout.pipelineConfig(engine), JSON.stringify(own));
  const prefix = bucketLayout.dropFolder({ kind: 'inference', pipeline: engine, drop: 'bench' });
  const unwatch = await watchStack();
  const started = performance.now();
  const uploads = files();
  const upload = async (): Promise<void> => {
    for (const { key, body } of uploads) await store.write(`${prefix}${key}`, await body());
  };
  await Promise.all(
    Array.from({ length: UPLOADS_AT_ONCE[values.form === 'tars' ? 'tars' : 'objects'] }, upload),
  );
  await store.write(`${prefix}_READY`, '');
  const uploaded = performance.now();
  const run = `${engine}/bench/000001`;
  const { report, success } = await laptop.await(run);
  const seconds = (performance.now() - uploaded) / 1_000;
  const { cost } = await planJson(aRun(run)).require(store);
  if (!success || report.records !== count)
    throw new Error(`${run} ended ${report.status} with ${report.records} of ${count} records`);
  const { cpuMs: spentMs, stages, peakMiB } = await unwatch();
  console.log(
    `${engine.padEnd(10)} ${seconds.toFixed(1).padStart(7)} s after ${((uploaded - started) / 1_000).toFixed(1)} s of uploads, ` +
      `${(count / seconds).toFixed(0)} images/s, ${(spentMs / count).toFixed(2)} ms of processor an image, ${peakMiB['all']?.toFixed(0)} MiB; ` +
      `quoted at $${cost.quoteUsd}, cost $${report.costUsd}, ${report.correct} right`,
  );
  const events = await Array.fromAsync(
    laptop.application.executions('inference').history(laptop.executionArn(run)),
  );
  for (const { stage, seconds: took, cpuMs } of stages(events))
    console.log(
      `  ${stage.padEnd(10)}${took.toFixed(1).padStart(8)} s, of processor ${toTable(cpuMs, 1_000, 1)}`,
    );
  console.log(`  MiB at the most: ${toTable(peakMiB, 1, 0)}`);
}

/** The largest of some figures, the largest first. */
function toTable(figures: Readonly<Record<string, number>>, unit: number, digits: number): string {
  return Object.entries(figures)
    .map(([name, value]) => [name, value / unit] as const)
    .filter(([, value]) => value >= 0.1)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
    .join(', ');
}

/** Objects of the drop, made when they are sent. */
function* files(): Generator<{ readonly key: string; readonly body: () => Promise<Uint8Array> }> {
  const nameOf = (at: number): string => `${String(at).padStart(8, '0')}_${imageOf(at).label}.png`;
  if (values.form !== 'tars') {
    for (let at = 0; at < count; at++) yield { key: nameOf(at), body: async () => imageOf(at).body };
    return;
  }
  for (let from = 0; from < count; from += MEMBERS) {
    const places = Array.from({ length: Math.min(MEMBERS, count - from) }, (_, at) => from + at);
    const body = () => packedTar(places.map((at) => [nameOf(at), imageOf(at).body] as const));
    yield { key: `${String(from).padStart(8, '0')}.tar`, body };
  }
}

function imageOf(at: number): (typeof once)[number] {
  const image = once[at % once.length];
  if (image === undefined) throw new RangeError(`${folder} must have images, is empty`);
  return image;
}
