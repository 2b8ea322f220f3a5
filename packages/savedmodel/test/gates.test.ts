import { expect, test } from 'vitest';
import { convertGraph } from '../onnx/convert-graph.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';

const spec = { dtype: 'float32', shape: null } as const;

function node(name: string, op: string, inputs: readonly string[], value?: number): GraphNode {
  const refs = inputs.map((one) => ({ node: one, index: 0 }));
  const plain = { name, op, inputs: refs, attributes: new Map([['T', { type: 1 }]]) };
  return value === undefined
    ? plain
    : { ...plain, value: { dtype: 'float32', shape: [], data: Float32Array.of(value) } };
}

/** Whether the function is computed step by step: those of Eigen's have quotients, and the plain forms here have none. */
function isInSteps(nodes: readonly GraphNode[], results = ['y']): boolean {
  const graph = new Map([node('x', 'Placeholder', []), ...nodes].map((one) => [one.name, one]));
  const input = { ref: { node: 'x', index: 0 }, spec: { ...spec, name: 'x' } };
  const outputs = results.map((name) => ({ ref: { node: name, index: 0 }, spec: { ...spec, name } }));
  return Buffer.from(convertGraph(graph, [input], outputs, { functions: new Map() }).onnx).includes('Div');
}

const sigmoid = node('s', 'Sigmoid', ['x']);

test('a gate of its own argument is computed plainly, as it is many times faster', () => {
  expect(isInSteps([sigmoid, node('y', 'Mul', ['x', 's'])])).toBe(false);
  const gelu = [
    node('root', 'Const', [], Math.SQRT1_2),
    node('a', 'Mul', ['x', 'root']),
    node('e', 'Erf', ['a']),
    node('one', 'Const', [], 1),
    node('f', 'AddV2', ['e', 'one']),
    node('half', 'Const', [], 0.5),
    node('h', 'Mul', ['x', 'half']),
    node('y', 'Mul', ['h', 'f']),
  ];
  expect(isInSteps(gelu)).toBe(false);
});

test('what reaches 1 for others to see is computed as by TensorFlow', () => {
  expect(isInSteps([sigmoid, node('y', 'Neg', ['s'])])).toBe(true);
  expect(isInSteps([sigmoid, node('y', 'Mul', ['x', 's'])], ['y', 's'])).toBe(true);
  expect(isInSteps([sigmoid, node('z', 'Cos', ['x']), node('y', 'Mul', ['z', 's'])])).toBe(true);
  expect(
    isInSteps([sigmoid, node('w', 'Mul', ['x', 's']), node('v', 'Neg', ['s']), node('y', 'Mul', ['v', 'w'])]),
  ).toBe(true);
});
