import { createReadStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSavedModel } from '@inferdrop/savedmodel/load-saved-model';
import type { ServableModel, Tensor } from '@inferdrop/savedmodel/servable-model';
import { unpackModelArchive } from '../model-archive.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const example = fileURLToPath(new URL('../../../examples/fashion-mnist/', import.meta.url));
const files = readdirSync(join(example, 'images')).slice(0, 40);
const images = files.map((name) => readFileSync(join(example, 'images', name)));
const { labels }: { labels: { classes: string[] } } = JSON.parse(
  readFileSync(join(example, 'pipeline.json'), 'utf8'),
);
const folder = temporaryFolder('engine-');
let model: ServableModel;

beforeAll(async () => {
  await unpackModelArchive(createReadStream(join(example, 'model.tar.gz')), folder);
  model = await loadSavedModel(join(folder, 'fashion-mnist', '1'), { workers: 1 });
});

afterAll(() => model.close());

const feeds = (data: readonly Uint8Array[]): Map<string, Tensor> =>
  new Map([['image_bytes', { dtype: 'string', shape: [data.length], data }]]);
const predict = (data: readonly Uint8Array[]) => model.run('serving_default', feeds(data));

test('the example says what it takes and gives', () => {
  expect(model.signatures).toEqual([
    {
      name: 'serving_default',
      methodName: 'tensorflow/serving/predict',
      inputs: [{ name: 'image_bytes', dtype: 'string', shape: [-1] }],
      outputs: [
        { name: 'classes', dtype: 'int64', shape: [-1] },
        { name: 'probabilities', dtype: 'float32', shape: [-1, 10] },
      ],
    },
  ]);
});

test('the example is right about most of its images', async () => {
  const { data } = (await predict(images)).get('classes')!;
  const right = files.filter((file, index) => file.endsWith(`_${labels.classes[Number(data[index])]}.png`));
  expect(right.length).toBeGreaterThanOrEqual(36);
});

test('an image gets the same answer alone, with others, and in calls that overlap', async () => {
  const together = (await predict(images.slice(0, 6))).get('classes')!.data;
  const alone = await Promise.all(images.slice(0, 6).map((image) => predict([image])));
  expect(alone.map((outputs) => outputs.get('classes')!.data[0])).toEqual(
    Array.from(together as BigInt64Array),
  );
});

test('a bad image fails its own call only', async () => {
  const [bad, good] = await Promise.allSettled([predict([Buffer.from('no image')]), predict([images[0]!])]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { name: 'InvalidFeeds' } });
  expect(good.status).toBe('fulfilled');
});

test.each<[string, Map<string, Tensor>, string]>([
  ['a missing input', new Map(), 'Input image_bytes is missing'],
  [
    'an unknown input',
    feeds(images.slice(0, 1)).set('images', { dtype: 'string', shape: [0], data: [] }),
    'no input images',
  ],
  [
    'another type',
    new Map([['image_bytes', { dtype: 'float32', shape: [1], data: new Float32Array(1) }]]),
    'must be string',
  ],
  [
    'another rank',
    new Map([['image_bytes', { dtype: 'string', shape: [1, 1], data: images.slice(0, 1) }]]),
    'must have shape [-1]',
  ],
  [
    'elements that do not fill the shape',
    new Map([['image_bytes', { dtype: 'string', shape: [2], data: images.slice(0, 1) }]]),
    '1 elements',
  ],
])('%s is refused', async (_, tensors, message) => {
  await expect(model.run('serving_default', tensors)).rejects.toMatchObject({
    name: 'InvalidFeeds',
    message: expect.stringContaining(message),
  });
});

test('an unknown signature is refused', async () => {
  await expect(model.run('classify', feeds(images.slice(0, 1)))).rejects.toThrow('"classify" not found');
});

test('a folder without a model is refused', async () => {
  await expect(loadSavedModel(folder, { workers: 1 })).rejects.toMatchObject({ name: 'BrokenModel' });
});

test('a damaged model is refused', async () => {
  mkdirSync(join(folder, 'damaged'));
  const whole = readFileSync(join(folder, 'fashion-mnist', '1', 'saved_model.pb'));
  writeFileSync(join(folder, 'damaged', 'saved_model.pb'), whole.subarray(0, whole.length / 2));
  await expect(loadSavedModel(join(folder, 'damaged'), { workers: 1 })).rejects.toMatchObject({
    name: 'BrokenModel',
  });
});

test('a closed model rejects what is under way and what comes later', async () => {
  const other = await loadSavedModel(join(folder, 'fashion-mnist', '1'), { workers: 1 });
  const underWay = other.run('serving_default', feeds(images));
  const closed = other.close();
  await expect(underWay).rejects.toThrow('closed');
  await closed;
  await expect(other.run('serving_default', feeds(images))).rejects.toThrow('closed');
});
