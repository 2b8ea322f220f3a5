import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { installEngine, requireEngine } from '@inferdrop/model-container/internal/engine-environment';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { bundleFiles } from '../../src/frameworks/bundle-files.ts';
import { appendToTar } from '../../src/model/append-to-tar.ts';
import { OutputBundle } from '../../src/transform/output-bundle.ts';

const IMAGE = 'r/pytorch-inference:2.6.0-cpu-py312';
const EXAMPLES = new URL('../../examples/', import.meta.url);

beforeAll(() => installEngine('pytorch', () => undefined));
const containers: { stop(): Promise<void> }[] = [];
afterAll(async () => {
  for (const container of containers) await container.stop();
});

/** An archive with the handler for bundles next to its own, as the plan of a run packs it. */
async function withBundles(archive: Buffer, own: string | undefined): Promise<Buffer> {
  const added = bundleFiles('pytorch', own);
  return gzipSync(
    Buffer.concat(await Array.fromAsync(appendToTar(Readable.from([gunzipSync(archive)]), added))),
  );
}

async function serve(archive: Buffer, environment: Record<string, string> = {}) {
  const modelDir = mkdtempSync(join(tmpdir(), 'torch-'));
  await unpackModelArchive(Readable.from([archive]), modelDir);
  const log: string[] = [];
  const container = createContainerHost({})({
    image: IMAGE,
    modelDir,
    networkIsolation: true,
    environment: { SAGEMAKER_MODEL_SERVER_WORKERS: '1', ...environment },
    log: (line) => void log.push(line),
  });
  containers.push(container);
  const url = await container.listening;
  const ask = async (body: string | Uint8Array<ArrayBuffer>, type: string, accept = 'application/json') => {
    const headers = { 'content-type': type, accept };
    const response = await fetch(`${url.href}/invocations`, { method: 'POST', body, headers });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };
  /** Answers of inputs in one bundle by place (undefined if missing), with the head. */
  const together = async (
    inputs: readonly (string | Uint8Array)[],
    contentType = 'application/json',
    accept?: string,
  ) => {
    const tar = pack();
    tar.entry({ name: 'bundle.json' }, JSON.stringify({ inputs: inputs.length, contentType }));
    for (const [at, input] of inputs.entries())
      tar.entry({ name: String(at).padStart(6, '0') }, Buffer.from(input));
    tar.finalize();
    const { status, body } = await ask(new Uint8Array(await buffer(tar)), 'application/x-tar', accept);
    expect(status, body.toString()).toBe(200);
    const bundle = new OutputBundle(body);
    const head = JSON.parse(body.toString('utf8', 0, body.indexOf(10)));
    return {
      head,
      answers: inputs.map((_, at) => bundle.answer(at)),
      texts: inputs.map((_, at) => {
        const answer = bundle.answer(at);
        return answer === undefined ? bundle.message(at) : Buffer.from(answer).toString();
      }),
    };
  };
  return { ask, together, log };
}

const start = async (script: string, environment = {}, files = {}) =>
  serve(
    await withBundles(await modelArchive({ 'code/inference.py': script, ...files }), script),
    environment,
  );

/** Tells how many rows each call of predict_fn had, in the log. */
const COUNTING = `
import json, sys, torch
def model_fn(model_dir):
    return torch.nn.Linear(2, 1, bias=False).requires_grad_(False)
`;
const rows = (log: readonly string[]): number[] =>
  log.flatMap((line) => /rows (\d+)/.exec(line)?.slice(1).map(Number) ?? []);
const PAIRS = Array.from({ length: 40 }, (_, at) => `[[${at}, ${at % 7}]]`);

async function alone(ask: Awaited<ReturnType<typeof serve>>['ask'], inputs: readonly string[]) {
  const answers: unknown[] = [];
  for (const input of inputs)
    answers.push(JSON.parse((await ask(input, 'application/json')).body.toString()));
  return answers;
}

test('the example gives each image the same class and scores as on its own', async () => {
  const archive = readFileSync(new URL('pytorch-fashion-mnist/model.tar.gz', EXAMPLES));
  const own = readFileSync(new URL('pytorch-fashion-mnist/code/inference.py', EXAMPLES), 'utf8');
  const folder = new URL('fashion-mnist/images/', EXAMPLES);
  const images = readdirSync(folder)
    .sort()
    .map((name) => new Uint8Array(readFileSync(new URL(name, folder))));
  const [single, bundled] = [await serve(archive), await serve(await withBundles(archive, own))];
  let largest = 0;
  for (let from = 0; from < images.length; from += 64) {
    const some = images.slice(from, from + 64);
    const { head, texts } = await bundled.together(some, 'application/x-image');
    expect(head).toMatchObject({ inputs: some.length, failed: [] });
    expect(head.notes).toBeUndefined();
    for (const [at, image] of some.entries()) {
      const { body } = await single.ask(image, 'application/x-image');
      const [expected] = JSON.parse(body.toString()).predictions as number[][];
      const [found] = JSON.parse(texts[at]!).predictions as number[][];
      const best = (scores: readonly number[]) => scores.indexOf(Math.max(...scores));
      expect(best(found!)).toBe(best(expected!));
      for (const [index, score] of expected!.entries())
        largest = Math.max(largest, Math.abs(score - found![index]!));
    }
  }
  expect(largest).toBeLessThan(1e-5);
}, 240_000);

test('predict_fn is called once for a bundle, and once for each of one to eight single inputs to prove it', async () => {
  const { together, ask, log } = await start(`${COUNTING}
def predict_fn(data, model):
    print('rows', len(data), file=sys.stderr, flush=True)
    return model(data)
`);
  const { texts } = await together(PAIRS);
  expect(texts.map((text) => JSON.parse(text))).toEqual(await alone(ask, PAIRS));
  log.length = 0;
  await together(PAIRS);
  expect(rows(log)).toEqual([40, 1]);
}, 120_000);

test.each([
  ['normalizes by the whole batch', '(data - data.mean()) / data.std(unbiased=False)'],
  ['divides by the largest of all', 'data / data.max()'],
  ['is in training mode', 'torch.nn.BatchNorm1d(2)(data) if len(data) > 1 else data'],
  ['drops at random', 'torch.nn.functional.dropout(data, 0.5, training=True)'],
  ['answers for the batch', 'data.sum(dim=0, keepdim=True)'],
  ['takes one row only', 'data.reshape(2)[None]'],
])(
  'a predict_fn that %s answers each input as on its own, and a note says so',
  async (_name, expression) => {
    const { together, ask } = await start(`${COUNTING}
def predict_fn(data, model):
    torch.manual_seed(int(data.sum()))
    return ${expression}
`);
    // The largest value is in each of the first inputs, so that a faint input in the same bundle exposes anything that depends on it.
    const inputs = PAIRS.map((_, at) => `[[${at % 5}, 100]]`);
    const expected = await alone(ask, inputs);
    for (let bundle = 0; bundle < 2; bundle++) {
      const { head, texts } = await together(inputs);
      expect(head.failed).toEqual([]);
      expect(texts.map((text) => JSON.parse(text))).toEqual(expected);
      expect(head.notes).toEqual([expect.stringContaining('are sent one by one, since')]);
    }
  },
  120_000,
);

test('data that are changed in place, dicts, tuples, lists and arrays are joined and split like tensors', async () => {
  const { together, ask, log } = await start(`${COUNTING}
import numpy
def input_fn(body, content_type):
    values = torch.tensor(json.loads(body))
    return {'x': values, 'mask': (values > 3), 'more': (values.numpy() * 2,)}
def predict_fn(data, model):
    data['x'] += 1
    print('rows', len(data['x']), file=sys.stderr, flush=True)
    return {'sums': data['x'].sum(dim=1).tolist(), 'pair': (data['mask'], data['more'][0])}
def output_fn(prediction, accept):
    first, second = prediction['pair']
    assert type(second) is numpy.ndarray
    return json.dumps([prediction['sums'], first.tolist(), second.tolist()])
`);
  const { head, texts } = await together(PAIRS);
  expect(head.notes).toBeUndefined();
  expect(rows(log)[0]).toBe(40);
  expect(texts.map((text) => JSON.parse(text))).toEqual(await alone(ask, PAIRS));
}, 120_000);

test('inputs of several shapes, and of several rows, are joined with their like', async () => {
  const { together, ask, log } = await start(`${COUNTING}
def predict_fn(data, model):
    print('rows', len(data), file=sys.stderr, flush=True)
    return data * 2
`);
  const inputs = ['[[1]]', '[[1, 2]]', '[[3], [4]]', '[[5, 6]]', '[[7]]', '[1, 2]'];
  const { head, texts } = await together(inputs);
  expect(head).toMatchObject({ failed: [] });
  expect(head.notes).toBeUndefined();
  expect(rows(log)).toContain(4);
  expect(texts.map((text) => JSON.parse(text))).toEqual(await alone(ask, inputs));
}, 120_000);

test('an input that input_fn, predict_fn or output_fn refuses costs no other', async () => {
  const { together, log } = await start(`${COUNTING}
from sagemaker_inference.errors import BaseInferenceToolkitError
def input_fn(body, content_type, context):
    assert content_type == 'application/json' and context.get_request_header(0, 'content-type') == content_type
    return torch.tensor(json.loads(body))
def predict_fn(data, model):
    if (data < 0).any():
        raise BaseInferenceToolkitError(422, 'negative', 'Negative')
    return data * 2
def output_fn(prediction, accept, context):
    if prediction[0, 0] == 200:
        context.set_response_status(code=409)
        return 'taken'
    return json.dumps(prediction.tolist())
`);
  const { head, texts } = await together(['[[1]]', 'no json', '[[-2]]', '[[100]]', '[[5]]']);
  expect(head.failed).toEqual([
    [1, 500],
    [2, 422],
    [3, 409],
  ]);
  expect(texts[0]).toBe('[[2]]');
  expect(texts[1]).toContain('Expecting value');
  expect(texts.slice(2)).toEqual(['negative', 'taken', '[[10]]']);
  expect(head.notes).toBeUndefined();
  expect(log.join('\n')).toContain('JSONDecodeError');
}, 120_000);

test('a transform_fn, a class that a pickle names, and bytes that are no text', async () => {
  const { together, ask, log } = await start(`
class Kept: pass
def model_fn(model_dir):
    import inference
    return inference.Kept().__class__.__name__
def transform_fn(model, data, content_type, accept):
    return bytes([255, len(data)]), 'application/octet-stream'
`);
  const { answers } = await together(['a', 'bcd'], 'application/octet-stream');
  expect(answers.map((answer) => [...answer!])).toEqual([
    [255, 1],
    [255, 3],
  ]);
  expect([...(await ask('ab', 'application/octet-stream')).body]).toEqual([255, 2]);
  expect(log.join('\n')).toContain('transform_fn is called once for each input of a bundle');
}, 120_000);

test('an answer that does not fit into a bundle is refused by name, and kills no worker', async () => {
  const { together } = await start(
    `${COUNTING}
def transform_fn(model, data, content_type, accept):
    return 'x' * int(data), 'text/plain'
`,
    { TS_MAX_RESPONSE_SIZE: '10000' },
  );
  const { head, texts } = await together(['10', '9000', '20'], 'text/plain');
  expect(head.failed).toEqual([[1, 413]]);
  expect(texts[1]).toMatch(/^its answer has 90\d\d bytes, and a bundle's answers may have at most 10000$/);
  expect(texts[2]).toBe('x'.repeat(20));
}, 120_000);

test('TorchScript without a script is served as the image does', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'script-')), 'model.pt');
  const made = `import torch; torch.jit.script(torch.nn.Linear(2, 1)).save(${JSON.stringify(file)})`;
  execFileSync(requireEngine('pytorch').python, ['-c', made]);
  const tar = pack();
  tar.entry({ name: 'model.pt' }, readFileSync(file));
  tar.finalize();
  const { ask, together } = await serve(await withBundles(gzipSync(await buffer(tar)), undefined));
  const { head, texts } = await together(PAIRS.slice(0, 5));
  expect(head).toMatchObject({ failed: [] });
  const expected = (await alone(ask, PAIRS.slice(0, 5))) as number[][][];
  for (const [at, text] of texts.entries())
    expect(JSON.parse(text)[0][0]).toBeCloseTo(expected[at]![0]![0]!, 4);
}, 120_000);
