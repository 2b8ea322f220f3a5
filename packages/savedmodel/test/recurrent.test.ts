import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';

interface Stored {
  readonly dtype: 'float32' | 'int32';
  readonly shape: number[];
  readonly data: number[];
}

/** Made by TensorFlow: fixtures/make_recurrent.py. */
const fixtures = new URL('./fixtures/', import.meta.url);
const models: Record<string, Record<'inputs' | 'outputs', Record<string, Stored>>> = JSON.parse(
  readFileSync(new URL('recurrent.json', fixtures), 'utf8'),
);

function tensorOf({ dtype, shape, data }: Stored): Tensor {
  return dtype === 'int32'
    ? { dtype, shape, data: Int32Array.from(data) }
    : { dtype, shape, data: Float32Array.from(data) };
}

test.each(Object.entries(models))('%s answers as TensorFlow does', async (name, { inputs, outputs }) => {
  const session = await openModelSession(
    loadModel(new URL(name, fixtures).pathname).convert('serving_default'),
  );
  const feeds = Object.entries(inputs).map(([key, value]) => [key, tensorOf(value)] as const);
  const answer = await session.run(new Map(feeds));
  await session.release();
  for (const [key, expected] of Object.entries(outputs)) {
    expect(answer.get(key)!.shape).toEqual(expected.shape);
    expected.data.forEach((value, place) =>
      expect(Number(answer.get(key)!.data[place])).toBeCloseTo(value, 5),
    );
  }
});
