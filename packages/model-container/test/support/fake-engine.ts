import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidFeeds, type ServableModel, UnsupportedModel } from '@inferdrop/savedmodel/servable-model';

/**
 * Stands for the engine where a test is about the container. The text in saved_model.pb chooses the model:
 * `length` answers, for each encoded image, its length and a probability; `double` doubles floats; `crowd` adds the number
 * of others in a batch; `peak` divides by the largest in it; `last` answers the last of many with 0; `late` does as `crowd`
 * where one is above 100; `dice` adds how often it was asked; `unsupported` is refused.
 */
export async function loadSavedModel(versionDir: string): Promise<ServableModel> {
  const kind = (await readFile(join(versionDir, 'saved_model.pb'), 'utf8')).trim();
  if (kind === 'unsupported') throw new UnsupportedModel(['Conv3D', 'Tile']);
  if (kind === 'double') return double;
  if (kind === 'crowd') return together((value, all) => value + all.length - 1);
  if (kind === 'late') return together((value, all) => value + (Math.max(...all) > 100 ? all.length - 1 : 0));
  if (kind === 'last') return together((value, all, at) => (at > 0 && at === all.length - 1 ? 0 : value));
  let asked = 0;
  if (kind === 'dice') return together((value) => value + asked++);
  if (kind === 'peak') return together((value, all) => value / Math.max(...all));
  return length;
}

const length: ServableModel = {
  signatures: [
    {
      name: 'serving_default',
      inputs: [{ name: 'image_bytes', dtype: 'string', shape: [-1] }],
      outputs: [{ name: 'probabilities', dtype: 'float32', shape: [-1, 2] }],
    },
  ],
  async run(_signature, feeds) {
    const tensor = feeds.get('image_bytes');
    if (tensor?.dtype !== 'string') throw new InvalidFeeds('image_bytes must be a string');
    if (tensor.data.some((bytes) => Buffer.from(bytes).toString() === 'broken'))
      throw new InvalidFeeds('not an image');
    const data = Float32Array.from(tensor.data.flatMap((bytes) => [bytes.length, 0.25]));
    return new Map([['probabilities', { dtype: 'float32', shape: [tensor.data.length, 2], data }]]);
  },
  close: async () => undefined,
};

/** A model of numbers whose answer for each depends on those beside it. */
const together = (answer: (value: number, all: Float32Array, at: number) => number): ServableModel => ({
  signatures: [
    {
      name: 'serving_default',
      inputs: [{ name: 'x', dtype: 'float32', shape: [-1] }],
      outputs: [{ name: 'y', dtype: 'float32', shape: [-1] }],
    },
  ],
  async run(_signature, feeds) {
    const tensor = feeds.get('x');
    if (tensor?.dtype !== 'float32') throw new InvalidFeeds('x must be float32');
    const { data } = tensor;
    return new Map([['y', { ...tensor, data: data.map((value, at) => answer(value, data, at)) }]]);
  },
  close: async () => undefined,
});

const double: ServableModel = {
  signatures: [
    {
      name: 'serving_default',
      inputs: [{ name: 'x', dtype: 'float32', shape: null }],
      outputs: [{ name: 'y', dtype: 'float32', shape: null }],
    },
  ],
  async run(_signature, feeds) {
    const tensor = feeds.get('x');
    if (tensor?.dtype !== 'float32') throw new InvalidFeeds('x must be float32');
    return new Map([['y', { ...tensor, data: tensor.data.map((value) => value * 2) }]]);
  },
  close: async () => undefined,
};
