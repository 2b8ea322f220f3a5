/**
 * Damages archives, models and images in 10,000 ways and hands them to the unpacker, the reader, the converter and
 * onnxruntime. An archive is damaged before or after its compression, so that both gzip and tar are met.
 *
 *     node lab/bench/fuzz-models.ts [--count 10000] [--seed 0]
 *
 * Everything must be read or refused by name. Prints how often each happened, the slowest case and the largest memory; exits
 * with 1 on any other error, above 10 s for a case, or above 2 GB.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DEFAULT_JPEG_SETTINGS } from '@inferdrop/image/decode-jpeg';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { loadModel } from '@inferdrop/savedmodel/load-model';
import { findModelBundles } from '@inferdrop/savedmodel/model-bundles';
import { openModelSession } from '../../packages/savedmodel/engine/model-session.ts';
import { decodeImage } from '../../packages/savedmodel/host/decode-image.ts';
import { damage } from '../../packages/savedmodel/test/support/damage.ts';

const REFUSALS = ['BrokenModel', 'UnsupportedModel', 'InvalidFeeds', 'BadModelArchive'];
/** Largest size of an archive's contents; the whole one has 2 MB. */
const MAX_UNPACKED_BYTES = 50e6;
const MAX_SECONDS = 10;
const MAX_BYTES = 2e9;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '0' } },
});
const fixtures = fileURLToPath(new URL('../../test/fixtures/savedmodel/', import.meta.url));
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
    .then((bytes) =>
      decodeImage(bytes, {
        op: 'DecodeImage',
        channels: 0,
        dtype: 'uint8',
        expandAnimations: seed % 2 === 0,
        jpeg: { ...DEFAULT_JPEG_SETTINGS, tryRecoverTruncated: seed % 3 === 0 },
      }),
    )
    .catch((error: unknown) => {
      throw Object.assign(new Error(String(error)), { name: 'InvalidFeeds' });
    });
}

const archive = readFileSync(new URL('../../examples/fashion-mnist/model.tar.gz', import.meta.url));
const tar = gunzipSync(archive);

/** Unpacks a damaged archive, and looks for models in it; nothing may lie outside of its folder. */
async function tryArchive(seed: number): Promise<void> {
  const bytes = seed % 3 === 0 ? damage(archive, seed) : gzipSync(damage(tar, seed), { level: 1 });
  const outside = mkdtempSync(join(scratch, 'archive-'));
  const folder = join(outside, 'model');
  mkdirSync(folder);
  const unpacked = async (): Promise<void> => {
    await unpackModelArchive(Readable.from([bytes]), folder, {
      maxUnpackedBytes: MAX_UNPACKED_BYTES,
      maxEntries: 1000,
    });
    for (const { versions } of await findModelBundles(folder)) {
      for (const dir of versions.values()) loadModel(dir);
    }
  };
  const [result] = await Promise.allSettled([unpacked()]);
  const escaped = readdirSync(outside).length !== 1;
  rmSync(outside, { recursive: true });
  if (escaped) throw new Error('the archive has escaped from its folder');
  if (result?.status === 'rejected') throw result.reason;
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
  // Models are the larger target: half of all cases; of the rest, every other one is an archive.
  const choice = seed % 2 === 0 ? (seed / 2) % 4 : 4 + (Math.floor(seed / 4) % (cases.length - 4));
  const attempt = seed % 4 === 1 ? tryArchive : cases[choice]!;
  const outcome = await attempt(seed).then(
    () => 'read',
    (error: Error) => error.name,
  );
  const target = `${attempt === tryArchive ? 'archive' : seed % 2 === 0 ? 'model' : 'image'} ${outcome}`;
  outcomes.set(target, (outcomes.get(target) ?? 0) + 1);
  if (outcome !== 'read' && !REFUSALS.includes(outcome)) {
    strange++;
    console.log(`seed ${seed}: ${outcome}`);
  }
  slowest = Math.max(slowest, (performance.now() - start) / 1000);
  largest = Math.max(largest, process.memoryUsage.rss());
}
rmSync(scratch, { recursive: true });
for (const [outcome, count] of [...outcomes].sort()) console.log(`${outcome.padEnd(28)} ${count}`);
console.log(`slowest ${slowest.toFixed(2)} s, largest ${(largest / 1e6).toFixed(0)} MB`);
process.exitCode = strange > 0 || slowest > MAX_SECONDS || largest > MAX_BYTES ? 1 : 0;
