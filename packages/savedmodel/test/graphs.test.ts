import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';

/** Made by TensorFlow: fixtures/make_graphs.py. */
const fixtures = new URL('./fixtures/', import.meta.url);
const { input, answers }: { input: number[][]; answers: Record<string, Record<string, number[][]>> } =
  JSON.parse(readFileSync(new URL('graphs.json', fixtures), 'utf8'));
const x: Tensor = { dtype: 'float32', shape: [2, 6], data: Float32Array.from(input.flat()) };
const index: Tensor = { dtype: 'int32', shape: [2], data: Int32Array.of(4, 0) };

test.each(
  Object.entries(answers).flatMap(([model, signatures]) =>
    Object.keys(signatures).map((name) => [model, name]),
  ),
)('%s gives what TensorFlow gives for %s', async (model, signature) => {
  const session = await openModelSession(loadModel(new URL(model!, fixtures).pathname).convert(signature!));
  const feeds = new Map<string, Tensor>([signature === 'embed' ? ['index', index] : ['x', x]]);
  const y = (await session.run(feeds)).get('y')!;
  await session.release();
  const expected = answers[model!]![signature!]!;
  expect(y.shape).toEqual([expected.length, expected[0]!.length]);
  expected.flat().forEach((value, place) => expect(y.data[place]).toBeCloseTo(value, 5));
});
