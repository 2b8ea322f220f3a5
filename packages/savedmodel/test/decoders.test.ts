import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';

interface Answer {
  readonly signature: string;
  readonly images: readonly string[];
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** Made by TensorFlow: fixtures/make_decoders.py. */
const fixtures = new URL('./fixtures/', import.meta.url);
const answers: readonly Answer[] = JSON.parse(readFileSync(new URL('decoders.json', fixtures), 'utf8'));
const image = (name: string): Uint8Array =>
  readFileSync(new URL(`../../image/test/fixtures/${name}`, import.meta.url));

const models = new Map(
  ['decoders', 'loop_frozen', 'loop_variables'].map((name) => [
    name,
    loadModel(new URL(name, fixtures).pathname),
  ]),
);

async function run(folder: string, signature: string, strings: readonly Uint8Array[]) {
  const session = await openModelSession(models.get(folder)!.convert(signature));
  const tensor = { dtype: 'string', shape: [strings.length], data: strings } as const;
  try {
    return await session.run(new Map([['image_bytes', tensor]]));
  } finally {
    await session.release();
  }
}

function largestDifference(given: ArrayLike<unknown>, expected: readonly number[]): number {
  return Math.max(...expected.map((value, index) => Math.abs(Number(given[index]) - value)));
}

test.each(answers)('$signature of $images is as TensorFlow decodes it', async (answer) => {
  const outputs = await run('decoders', answer.signature, answer.images.map(image));
  const result = outputs.get('y')!;
  expect(result.dtype).toBe(answer.dtype);
  expect(result.shape).toEqual(answer.shape);
  // Bit for bit, but for arithmetic that follows.
  const allowed = answer.dtype === 'float32' ? 1e-4 : 0;
  expect(largestDifference(result.data, answer.data)).toBeLessThanOrEqual(allowed);
});

test.each(['loop_frozen', 'loop_variables'])(
  '%s of TensorFlow 1 classifies as its successor does',
  async (folder) => {
    const { images, data } = answers.find(({ signature }) => signature === 'classify')!;
    const outputs = await run(folder, 'serving_default', images.map(image));
    expect(outputs.get('probabilities')!.shape).toEqual([2, 5]);
    expect(largestDifference(outputs.get('probabilities')!.data, data)).toBeLessThan(1e-5);
    const best = [data.slice(0, 5), data.slice(5)].map((row) => BigInt(row.indexOf(Math.max(...row))));
    expect(outputs.get('classes')!.data).toEqual(BigInt64Array.from(best));
  },
);

test('an image in URL-safe base64 is decoded in the graph', async () => {
  const encoded = Buffer.from(Buffer.from(image('rgb.png')).toString('base64url'));
  const outputs = await run('decoders', 'base64', [encoded]);
  expect(outputs.get('y')!.shape).toEqual([1, 9, 13, 3]);
});

test('images that differ in size cannot be stacked', async () => {
  await expect(run('decoders', 'png_3', [image('rgb.png'), image('other.png')])).rejects.toMatchObject({
    name: 'InvalidFeeds',
    message: expect.stringContaining('[9, 13, 3] and [40, 40, 3]'),
  });
});

test.each([
  ['a PNG that was cut off', image('rgb.png').subarray(0, 60), 'cut off'],
  ['a JPEG that was cut off', image('photo.jpg').subarray(0, 700), 'DecodeImage'],
  ['text', Buffer.from('hello'), 'Unknown image file format'],
  ['nothing', new Uint8Array(), 'Unknown image file format'],
])('%s is refused as the request’s fault', async (_, bytes, message) => {
  await expect(run('decoders', 'resized', [bytes])).rejects.toMatchObject({
    name: 'InvalidFeeds',
    message: expect.stringContaining(message),
  });
});
