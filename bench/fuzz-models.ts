/**
 * Damages models and images in 10,000 ways and hands them to the reader, the converter and onnxruntime.
 *
 *     node bench/fuzz-models.ts [--count 10000] [--seed 0]
 *
 * Everything must be read or refused by name. Prints how often each happened, the slowest case and the largest memory; exits
 * with 1 on any other error, above 10 s for a case, or above 2 GB.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModel } from '../local/sagemaker/containers/tensorflow/engine/load-model.ts';
import { openModelSession } from '../local/sagemaker/containers/tensorflow/engine/model-session.ts';
import { decodeImage } from '../local/sagemaker/containers/tensorflow/image/decode-image.ts';
import { damage } from '../test/support/damage.ts';

const REFUSALS = ['BrokenModel', 'UnsupportedModel', 'InvalidFeeds'];
const MAX_SECONDS = 10;
const MAX_BYTES = 2e9;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '0' } },
});
const fixtures = new URL('../test/fixtures/savedmodel/', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'fuzz-'));
const photo = readFileSync(join(fixtures, 'images', 'photo.jpg'));

/** Reads a damaged model as a worker does, and runs it once if it can be run. */
async function tryModel(model: string, file: string, seed: number): Promise<void> {
  const folder = join(scratch, model);
  const whole = readFileSync(join(fixtures, model, file));
  writeFileSync(join(folder, file), damage(whole, seed));
  try {
    const loaded = loadModel(folder);
    const session = await openModelSession(loaded.convert(loaded.signatures[0]?.name ?? ''));
    try {
      await session.run(new Map([['image_bytes', { dtype: 'string', shape: [1], data: [photo] }]]));
    } finally {
      await session.release();
    }
  } finally {
    writeFileSync(join(folder, file), whole);
  }
}

async function tryImage(name: string, seed: number): Promise<void> {
  const image = damage(readFileSync(join(fixtures, 'images', name)), seed);
  // A decoder may refuse in its own words: the caller knows that it is the image's fault.
  await Promise.resolve(image)
    .then((bytes) => decodeImage(bytes, 3))
    .catch((error: unknown) => {
      throw Object.assign(new Error(String(error)), { name: 'InvalidFeeds' });
    });
}

const models = ['loop_variables', 'loop_frozen'];
for (const model of models) cpSync(join(fixtures, model), join(scratch, model), { recursive: true });
const variables = ['variables/variables.index', 'variables/variables.data-00000-of-00001'];
const cases = [
  ...models.map((model) => (seed: number) => tryModel(model, 'saved_model.pb', seed)),
  ...variables.map((file) => (seed: number) => tryModel('loop_variables', file, seed)),
  ...readdirSync(join(fixtures, 'images')).map((name) => (seed: number) => tryImage(name, seed)),
];

const outcomes = new Map<string, number>();
let slowest = 0;
let largest = 0;
let strange = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.count); seed++) {
  const start = performance.now();
  // Models are the larger target: half of all cases.
  const choice = seed % 2 === 0 ? (seed / 2) % 4 : 4 + (seed % (cases.length - 4));
  const outcome = await cases[choice]!(seed).then(
    () => 'read',
    (error: Error) => error.name,
  );
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (outcome !== 'read' && !REFUSALS.includes(outcome)) {
    strange++;
    console.log(`seed ${seed}: ${outcome}`);
  }
  slowest = Math.max(slowest, (performance.now() - start) / 1000);
  largest = Math.max(largest, process.memoryUsage.rss());
}
rmSync(scratch, { recursive: true });
console.log([...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', '));
console.log(`slowest ${slowest.toFixed(2)} s, largest ${(largest / 1e6).toFixed(0)} MB`);
process.exitCode = strange > 0 || slowest > MAX_SECONDS || largest > MAX_BYTES ? 1 : 0;
