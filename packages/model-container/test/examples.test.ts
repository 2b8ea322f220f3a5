import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '@inferdrop/savedmodel/internal/load-model';
import { type ModelSession, openModelSession } from '../../savedmodel/engine/model-session.ts';
import { parseJsonDocument } from '../tensorflow/serving/json-document.ts';
import { toExample } from '../tensorflow/serving/json-example.ts';
import { createRestApi } from '../tensorflow/serving/rest-api.ts';

/** Made by TensorFlow: packages/savedmodel/test/fixtures/make_examples.py. */
const fixtures = new URL('../../savedmodel/test/fixtures/', import.meta.url);
const loaded = loadModel(new URL('examples', fixtures).pathname);
const stored: {
  examples: Record<string, unknown>[];
  classes: string[];
  scores: number[][];
  values: number[];
} = JSON.parse(readFileSync(new URL('examples.json', fixtures), 'utf8'));
/** As the requests write them: a whole float with its point. */
const EXAMPLES = JSON.stringify(stored.examples)
  .replaceAll(/([[:,]-?\d+)(?=[,\]])/g, '$1.0')
  .replace('"code":3.0', '"code":3')
  .replace('"code":9.0', '"code":9');

let sessions: ReadonlyMap<string, ModelSession>;
beforeAll(async () => {
  const opened = loaded.signatures.map(
    async ({ name }) => [name, await openModelSession(loaded.convert(name))] as const,
  );
  sessions = new Map(await Promise.all(opened));
});
afterAll(async () => {
  await Promise.all([...sessions.values()].map((session) => session.release()));
});

const api = createRestApi(
  new Map([
    [
      'm',
      new Map([
        [
          1,
          {
            signatures: loaded.signatures,
            run: (name, feeds) => sessions.get(name)!.run(feeds),
            close: async () => undefined,
          },
        ],
      ]),
    ],
  ]),
);
const ask = async (verb: string, body: string) => {
  const { status, body: answer } = await api.answer('POST', `/v1/models/m:${verb}`, body);
  if (status !== 200) throw new Error(answer);
  return JSON.parse(answer).results;
};

test('a classifier of tf.estimator answers :classify as TensorFlow does', async () => {
  const results: [string, number][][] = await ask('classify', `{"examples": ${EXAMPLES}}`);
  expect(results.map((row) => row.map(([label]) => label))).toEqual(stored.scores.map(() => stored.classes));
  const scores = results.flatMap((row) => row.map(([, score]) => score));
  stored.scores.flat().forEach((score, index) => expect(scores[index]).toBeCloseTo(score, 5));
});

test('its signature of regression answers :regress', async () => {
  const results: number[] = await ask('regress', `{"signature_name": "regression", "examples": ${EXAMPLES}}`);
  expect(results).toHaveLength(stored.values.length);
  stored.values.forEach((value, index) => expect(results[index]).toBeCloseTo(value, 4));
});

test('what the context says holds for every example that does not say it itself', async () => {
  const [first] = stored.examples;
  const all = await ask('classify', `{"examples": ${EXAMPLES}}`);
  const { size, ...context } = first!;
  const text = (value: unknown) => JSON.stringify(value).replace('"size":[1,', '"size":[1.0,');
  const body = `{"context": ${text(context)}, "examples": [${text({ size })}, ${text({ size, age: 0.315 })}]}`;
  expect(await ask('classify', body)).toEqual([all[0], all[0]]);
});

test(':predict takes serialized examples in base64', async () => {
  const [text = ''] = /\{[^}]*\}/.exec(EXAMPLES) ?? [];
  const b64 = Buffer.from(toExample(parseJsonDocument(text))).toString('base64');
  const body = JSON.stringify({ signature_name: 'predict', instances: [{ b64 }] });
  const { body: answer } = await api.answer('POST', '/v1/models/m:predict', body);
  const [{ probabilities }] = JSON.parse(answer).predictions;
  stored.scores[0]!.forEach((score, index) => expect(probabilities[index]).toBeCloseTo(score, 5));
});

test.each([
  ['a feature of another kind', '{"size": [1, 2], "height": 1.5}', 'size must be float32, is int64'],
  ['a feature that is missing', '{"age": 1.0}', 'height is required but could not be found'],
  ['too many values', '{"size": [1.0, 2.0, 3.0], "height": 1.5}', 'size has 3 values, must have 2'],
])('%s is the request’s error', async (_what, example, message) => {
  const { status, body } = await api.answer('POST', '/v1/models/m:classify', `{"examples": [${example}]}`);
  expect(status).toBe(400);
  expect(body).toContain(message);
});
