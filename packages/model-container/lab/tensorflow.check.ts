import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { loadModel } from '@inferdrop/savedmodel/internal/load-model';
import type { ServableModel } from '@inferdrop/savedmodel/servable-model';
import { type EngineEnvironment, installEngine } from '../python-environments/engine-environment.ts';
import { loadSavedModel } from '../tensorflow/engine/load-in-tensorflow.ts';
import { startTestContainer } from './python-container.ts';

const IMAGE = 'r/tensorflow-inference:2.19.0-cpu';
const FIXTURES = fileURLToPath(new URL('../../savedmodel/test/fixtures/', import.meta.url));
const EXAMPLE = new URL('../../../examples/fashion-mnist/', import.meta.url);
const IMAGE_TYPE = { 'content-type': 'application/x-image', accept: 'application/json' };

let engine: EngineEnvironment;
beforeAll(async () => {
  engine = await installEngine('tensorflow', () => undefined);
});
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function load(name: string, log: string[] = []): Promise<ServableModel> {
  const model = await loadSavedModel(FIXTURES + name, {
    workers: 1,
    python: engine.python,
    log: (line) => void log.push(line),
  });
  open.push(model);
  return model;
}

test.each([
  'loop_variables',
  'loop_frozen',
  'functions',
  'operations',
  'branches',
  'decoders',
  'partitioned',
])('%s: the signatures are the ones that the converter reads', async (name) => {
  expect((await load(name)).signatures).toEqual(loadModel(FIXTURES + name).signatures);
});

test('what does not fit is refused before TensorFlow sees it; what TensorFlow refuses is refused in its words', async () => {
  const model = await load('loop_variables');
  const run = (feeds: Parameters<ServableModel['run']>[1]) => model.run('serving_default', feeds);
  const numbers = { dtype: 'float32', shape: [1], data: new Float32Array(1) } as const;
  await expect(run(new Map([['image_bytes', numbers]]))).rejects.toMatchObject({
    name: 'InvalidFeeds',
    message: 'Input image_bytes must be string, is float32',
  });
  const broken = { dtype: 'string', shape: [1], data: [Buffer.from('no image')] } as const;
  await expect(run(new Map([['image_bytes', broken]]))).rejects.toMatchObject({
    name: 'InvalidFeeds',
    message: expect.stringContaining('Unknown image file format'),
  });
});

test('what is no model is refused in TensorFlow’s words', async () => {
  await expect(load('cases')).rejects.toMatchObject({
    name: 'BrokenModel',
    message: expect.stringContaining('TensorFlow cannot load the model'),
  });
});

test('both engines give the same answer for the same image, with the same handler', async () => {
  const archive = readFileSync(new URL('model.tar.gz', EXAMPLE));
  const [theirs, ours] = await Promise.all(
    (['python', 'onnxruntime'] as const).map(async (choice) => {
      const started = await startTestContainer(IMAGE, archive, { engine: choice });
      open.push({ close: () => started.container.stop() });
      return started;
    }),
  );
  const names = readdirSync(new URL('images/', EXAMPLE)).sort().slice(0, 50);
  for (const name of names) {
    const image = new Uint8Array(readFileSync(new URL(`images/${name}`, EXAMPLE)));
    const answers = await Promise.all(
      [theirs, ours].map((one) => one!.ask('/invocations', image, IMAGE_TYPE)),
    );
    const [[a], [b]] = answers.map(({ text }) => JSON.parse(text).predictions);
    expect(a.classes).toBe(b.classes);
    a.probabilities.forEach((p: number, index: number) => expect(b.probabilities[index]).toBeCloseTo(p, 4));
  }
  const refused = await theirs!.ask('/invocations', 'no image', IMAGE_TYPE);
  expect(refused.status).toBe(500);
  expect(refused.text).toContain('Unknown image file format');
});
