import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';

/** Made by TensorFlow: fixtures/make_tables.py. */
const fixtures = new URL('./fixtures/', import.meta.url);
const folder = new URL('tables', fixtures).pathname;
const {
  inputs,
  outputs,
  learned,
}: { inputs: Record<string, string[]>; outputs: Record<string, unknown>; learned: number[] } = JSON.parse(
  readFileSync(new URL('tables.json', fixtures), 'utf8'),
);

test('tables from constants, from a file and behind the network give what TensorFlow gives', async () => {
  const converted = loadModel(folder).convert('serving_default');
  expect(converted.mixedBy).toContain('texts');
  const session = await openModelSession(converted);
  const feeds = Object.entries(inputs).map(([name, texts]): [string, Tensor] => {
    return [name, { dtype: 'string', shape: [texts.length], data: texts.map((text) => Buffer.from(text)) }];
  });
  const answer = await session.run(new Map(feeds));
  await session.release();
  const texts = (name: string) => Array.from<unknown, string>(answer.get(name)!.data, String);
  expect({ name: texts('name'), colour: texts('colour') }).toEqual({
    name: outputs.name,
    colour: outputs.colour,
  });
  const scores = (outputs.scores as number[][]).flat();
  Array.from(answer.get('scores')!.data, Number).forEach((score, index) =>
    expect(score).toBeCloseTo(scores[index]!, 5),
  );
});

test('a table that was filled before the model was saved is read from its checkpoint', async () => {
  const converted = loadModel(new URL('learned-table', fixtures).pathname).convert('serving_default');
  const session = await openModelSession(converted);
  const cities = inputs.city!;
  const feed: Tensor = {
    dtype: 'string',
    shape: [cities.length],
    data: cities.map((text) => Buffer.from(text)),
  };
  const answer = await session.run(new Map([['city', feed]]));
  await session.release();
  expect(Array.from(answer.get('number')!.data, Number)).toEqual(learned);
});

test('a table whose file is missing is named', () => {
  const copy = mkdtempSync(join(tmpdir(), 'tables-'));
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, 'assets'), { recursive: true });
  expect(() => loadModel(copy).convert('serving_default')).toThrow('The model has no file assets/cities.txt');
});
