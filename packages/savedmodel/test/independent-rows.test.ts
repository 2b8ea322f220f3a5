import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mixingOperation } from '../onnx/independent-rows.ts';
import type { AttrValue } from '../savedmodel/graph-def.ts';
import { type GraphNode, parseTensorRef } from '../savedmodel/graph-node.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';
import { judgeRows } from './support/independent-rows.ts';

const folder = fileURLToPath(new URL('./fixtures/cases/', import.meta.url));

/** Models of each family; the laboratory `cases` judges more of them each week. */
const MODELS = process.env['CASES'] === 'all' ? 4 : 2;

test('what is said to keep rows apart gives each row the same answer alone and among others', async () => {
  let apart = 0;
  const wrong: string[] = [];
  for (const family of readdirSync(folder)) {
    const judged = await judgeRows(join(folder, family), MODELS);
    apart += judged.apart;
    wrong.push(...judged.wrong);
  }
  expect(wrong).toEqual([]);
  expect(apart).toBeGreaterThan(75 * MODELS);
});

function node(text: string, attributes: Record<string, AttrValue> = {}): GraphNode {
  const [op = '', name = '', ...inputs] = text.split(' ');
  return { name, op, inputs: inputs.map(parseTensorRef), attributes: new Map(Object.entries(attributes)) };
}

function numbers(name: string, shape: readonly number[], values: readonly number[]): GraphNode {
  const value: Tensor = { dtype: 'int32', shape, data: Int32Array.from(values) };
  return { name, op: 'Const', inputs: [], attributes: new Map(), value };
}

const weights: GraphNode = {
  ...node('Const w'),
  value: { dtype: 'float32', shape: [6, 6], data: new Float32Array(36) },
};
const sizes = [node('Shape s x'), numbers('zero', [1], [0]), numbers('one', [1], [1])];
const firstSize = node('StridedSlice b s zero one one', { shrink_axis_mask: { int: 1 } });
const vector = (name: string, ...values: number[]) => numbers(name, [values.length], values);

test.each<[string, GraphNode[], string | undefined]>([
  ['a dense layer', [weights, node('MatMul m x w'), node('Softmax y m')], undefined],
  [
    'division by the largest of all',
    [vector('a', 0, 1), node('Max m x a'), node('RealDiv y x m')],
    'Max (node m)',
  ],
  [
    'division by the largest of the row',
    [vector('a', 1), node('Max m x a', { keep_dims: { bool: true } }), node('RealDiv y x m')],
    undefined,
  ],
  ['a sum that runs from row to row', [numbers('a', [], [0]), node('Cumsum y x a')], 'Cumsum (node y)'],
  ['the first row', [...sizes, node('StridedSlice y x zero one one')], 'StridedSlice (node y)'],
  ['rows in the other order', [vector('a', 0), node('ReverseV2 y x a')], 'ReverseV2 (node y)'],
  ['a product with itself', [node('MatMul y x x', { transpose_b: { bool: true } })], 'MatMul (node y)'],
  ['a flat row', [vector('a', -1, 6), node('Reshape y x a')], undefined],
  ['rows cut otherwise', [vector('a', -1, 4), node('Reshape y x a')], 'Reshape (node y)'],
  [
    'steps of a row through a layer, and back',
    [
      weights,
      vector('a', -1, 2, 3),
      node('Reshape t x a'),
      vector('c', -1, 3),
      node('Reshape f t c'),
      node('Tanh h f'),
      vector('d', -1, 6),
      node('Reshape y h d'),
    ],
    undefined,
  ],
  [
    'a reshape that leaves two places for each row',
    [vector('a', -1, 3), node('Reshape y x a')],
    'Reshape (node y)',
  ],
  [
    'a shape with the size of the batch',
    [...sizes, firstSize, numbers('six', [], [6]), node('Pack p b six'), node('Reshape y x p')],
    undefined,
  ],
  [
    'a shape with the size of the batch behind',
    [...sizes, firstSize, numbers('six', [], [6]), node('Pack p six b'), node('Reshape y x p')],
    'Reshape (node y)',
  ],
  [
    'a constant for each row',
    [
      ...sizes,
      numbers('v', [1, 6], [0, 0, 0, 0, 0, 0]),
      numbers('k', [], [1]),
      firstSize,
      node('Pack p b k'),
      node('Tile t v p'),
      node('AddV2 y x t'),
    ],
    undefined,
  ],
  ['rows beside each other', [numbers('a', [], [1]), node('ConcatV2 y x x a')], undefined],
  ['rows below each other', [numbers('a', [], [0]), node('ConcatV2 y x x a')], 'ConcatV2 (node y)'],
  ['a loop', [node('While l x'), node('Relu y l')], 'While (node l)'],
  [
    'moments of the batch',
    [vector('a', 0), node('FusedBatchNormV3 y x a a a a')],
    'FusedBatchNormV3 (node y)',
  ],
  ['letters', [weights, node('Einsum y x w', { equation: { text: Buffer.from('ab,bc->ac') } })], undefined],
  [
    'letters that turn it round',
    [weights, node('Einsum y x w', { equation: { text: Buffer.from('ab,bc->ca') } })],
    'Einsum (node y)',
  ],
])('%s', (_, nodes, mixed) => {
  const all = [node('Placeholder x'), ...nodes];
  const found = mixingOperation({
    graph: new Map(all.map((one) => [one.name, one])),
    inputShapes: new Map([['x:0', [-1, 6]]]),
    results: [{ node: 'y', index: 0 }],
    given: new Set(['x']),
    loops: new Map(),
  });
  expect(found).toBe(mixed);
});
