import { expect, test } from 'vitest';
import type { Attributes } from '../savedmodel/graph-def.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';
import { unprovenPlaces } from '../savedmodel/unproven-places.ts';

function node(name: string, op: string, inputs: readonly string[], more: Partial<GraphNode> = {}): GraphNode {
  return { name, op, inputs: inputs.map((one) => ({ node: one, index: 0 })), attributes: new Map(), ...more };
}

const placesOf = (...nodes: readonly GraphNode[]) =>
  unprovenPlaces(new Map(nodes.map((one) => [one.name, one])));

const x = node('x', 'Placeholder', []);
const one = node('one', 'Const', [], { value: { dtype: 'float32', shape: [], data: Float32Array.of(1) } });

test('the class of a function that a kernel computes along with its product', () => {
  const network = [
    x,
    node('d/MatMul', 'MatMul', ['x', 'one']),
    node('d/BiasAdd', 'BiasAdd', ['d/MatMul', 'one']),
  ];
  const scores = node('d/Sigmoid', 'Sigmoid', ['d/BiasAdd']);
  expect(placesOf(...network, scores, node('class', 'ArgMax', ['d/Sigmoid', 'one']))).toEqual([
    "the class of d/Sigmoid: TensorFlow computes d/MatMul and d/Sigmoid in one kernel of the processor's, and " +
      'saturated scores may tie otherwise',
  ]);
  expect(placesOf(...network, scores)).toEqual([]);
  expect(
    placesOf(x, node('d/Sigmoid', 'Sigmoid', ['x']), node('class', 'ArgMax', ['d/Sigmoid', 'one'])),
  ).toEqual([]);
});

test('an inverse that something rounds, and none that nothing rounds', () => {
  const inverse = [x, one, node('r', 'Reciprocal', ['x']), node('s', 'Mul', ['r', 'one'])];
  expect(placesOf(...inverse, node('f', 'Floor', ['s']))).toEqual([
    "f: TensorFlow's reciprocal is one bit off by its place in the tensor, so that f may be off by one",
  ]);
  const cast = (type: number): Attributes => new Map([['DstT', { type }]]);
  expect(placesOf(...inverse, node('c', 'Cast', ['s'], { attributes: cast(3) })).length).toBe(1);
  expect(placesOf(...inverse, node('c', 'Cast', ['s'], { attributes: cast(2) }))).toEqual([]);
  expect(placesOf(...inverse, node('m', 'MatMul', ['s', 's']), node('f', 'Floor', ['m']))).toEqual([]);
});

test('an exponential without its 1', () => {
  expect(placesOf(x, one, node('e', 'Exp', ['x']), node('y', 'Sub', ['e', 'one']))).toEqual([
    "y: digits of exp(x) - 1 below 1e-6 are not TensorFlow's",
  ]);
  expect(placesOf(x, one, node('e', 'Exp', ['x']), node('y', 'Sub', ['one', 'e']))).toEqual([]);
});
