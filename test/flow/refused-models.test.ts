import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { createModelCheck } from '@inferdrop/model-container/internal/check-model';
import { runOnZeros } from '@inferdrop/savedmodel/internal/run-on-zeros';
import { IMAGE } from '../../packages/laptop/test/sagemaker/local-sagemaker.ts';
import { freezeGraph } from '../../packages/savedmodel/savedmodel/frozen-graph.ts';
import type { GraphNode } from '../../packages/savedmodel/savedmodel/graph-node.ts';
import { describeRefusal, type NamedTensors } from '../../packages/savedmodel/savedmodel/servable-model.ts';
import { packModel } from '../../src/cli/model/enter-model.ts';
import { inspectModel } from '../../src/cli/model/inspect-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../packages/savedmodel/test/fixtures/', import.meta.url));
const folder = temporaryFolder('refused-');

function archiveOf(fixture: string): string {
  const modelDir = mkdtempSync(join(folder, 'model-'));
  cpSync(join(fixtures, fixture), join(modelDir, '1'), { recursive: true });
  return modelDir;
}

const ENGINE_PYTHON = 'run with `--engine python`';
const KINDS = [
  ['unrestored', 'is not restored by the graph', 'save it with model.export(folder)'],
  ['complex128', 'Complex (of complex128)', ENGINE_PYTHON],
  [
    'bfloat16',
    'bfloat16 in a signature',
    'export the model with inputs and outputs of numbers such as float32',
  ],
  ['float16', 'input x is of float16', 'export the model with inputs of float32'],
  ['bicubic', 'ResizeBicubic (in a map over encoded images)', 'outside of tf.map_fn'],
  ['pyfunc', 'PyFunc', 'which no other process has'],
  ['random', 'RandomStandardNormal', 'export it for inference'],
  ['unicode', 'UnicodeDecode', ENGINE_PYTHON],
  ['texts', 'MatMul (beside strings)', ENGINE_PYTHON],
  ['text_loop', 'StatelessWhile (strings)', ENGINE_PYTHON],
  ['decoding', 'DecodeCompressed', ENGINE_PYTHON],
  ['operation', 'MatrixInverse', ENGINE_PYTHON],
] as const;

test.each(KINDS)('a model of the kind %s is refused with its remedy', async (name, what, remedy) => {
  const model = { image: IMAGE, modelDir: archiveOf(`refused/${name}`) };
  const refusal = await createModelCheck()(model);
  expect(refusal).toContain(what);
  expect(refusal).toContain(remedy);
});

test.each(KINDS)('inspect says of the kind %s what CreateModel says', async (name, what, remedy) => {
  const output = join(mkdtempSync(join(folder, 'packed-')), 'model.tar.gz');
  await packModel({ model: join(fixtures, 'refused', name), code: undefined, output });
  const { models, runs } = await inspectModel(output);
  const said = [...models.map(({ damage }) => damage), ...runs].join('\n');
  expect(said).toContain(what);
  expect(said).toContain(remedy === ENGINE_PYTHON ? 'start with --engine python' : remedy);
});

test('TensorFlow itself restores as TensorFlow Serving does, so that what is not restored is refused there, too', async () => {
  const check = createModelCheck({ engine: 'python', handlers: 'python' });
  const refusalOf = (fixture: string) => check({ image: IMAGE, modelDir: archiveOf(fixture) });
  await expect(refusalOf('refused/unrestored')).resolves.toContain('is not restored by the graph');
  await expect(refusalOf('refused/operation')).resolves.toBeUndefined();
  await expect(refusalOf('refused/pyfunc')).resolves.toContain('which no other process has');
  await expect(refusalOf('functions')).resolves.toBeUndefined();
});

test('where TensorFlow itself runs the model, what no request can hold is refused, too', async () => {
  const check = createModelCheck({ engine: 'python', handlers: 'python' });
  const modelDir = archiveOf('refused/float16');
  await expect(check({ image: IMAGE, modelDir })).resolves.toContain('is of float16');
  mkdirSync(join(modelDir, 'code'));
  writeFileSync(join(modelDir, 'code', 'inference.py'), 'def handler(data, context): ...');
  await expect(check({ image: IMAGE, modelDir })).resolves.toBeUndefined();
});

test('a model of texts that takes UTF-8 alone is run on a word', async () => {
  const texts = vi.fn((_name: string, feeds: NamedTensors) => {
    const [text] = feeds.get('text')?.data ?? [];
    return String(text) === '0' ? Promise.resolve(new Map()) : Promise.reject(new Error('not UTF-8'));
  });
  const signature = {
    name: 'serving_default',
    inputs: [{ name: 'text', dtype: 'string', shape: [-1] }],
    outputs: [],
  } as const;
  await expect(runOnZeros({ run: texts }, signature, 10_000)).resolves.toBeUndefined();
  expect(texts).toHaveBeenCalledTimes(2);
});

test('variables of more than 2 GiB are refused with the remedy', () => {
  const data = new Float32Array(2 ** 27);
  const variables = Array.from({ length: 5 }, (_, index) => `w${index}`);
  const nodes = new Map(
    variables.map((name): [string, GraphNode] => [
      name,
      { name, op: 'VarHandleOp', inputs: [], attributes: new Map() },
    ]),
  );
  const outputs = variables.map((node) => ({ node, index: 0 }));
  const freeze = () =>
    freezeGraph({ nodes, resolve: (ref) => ref }, outputs, [], () => ({
      dtype: 'float32',
      shape: [data.length],
      data,
    }));
  expect(freeze).toThrow('weights and constants of more than 2 GiB');
  try {
    freeze();
  } catch (error) {
    expect(describeRefusal(error as Error)).toContain(ENGINE_PYTHON);
  }
});
