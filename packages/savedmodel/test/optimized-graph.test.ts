import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import type { Attributes } from '../savedmodel/graph-def.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';
import { optimizeGraph } from '../savedmodel/optimized-graph.ts';
import { readExpressions } from './support/expressions.ts';

/** Made by TensorFlow: lab/operations/expressions.py. */
const file = fileURLToPath(new URL('./fixtures/expressions.gz', import.meta.url));

/**
 * What a session writes otherwise, and computes alike to the last bit: the square of a difference is one operation.
 */
const ALIKE: readonly string[] = ['square of a difference', 'square of a difference behind reshape'];

test('each expression is the one that a session of TensorFlow runs', () => {
  const { expressions, runsHere } = readExpressions(file);
  const told = expressions.filter(({ label }) => !ALIKE.includes(label));
  const here = told.map(({ name, label }) => `${label} => ${runsHere(name).join(' | ')}`);
  expect(here).toEqual(told.map(({ label, runs }) => `${label} => ${runs.join(' | ')}`));
  expect(told.length).toBeGreaterThan(200);
});

const FLOAT: Attributes = new Map([['T', { type: 1 }]]);

function node(
  name: string,
  op: string,
  inputs: readonly string[] = [],
  more: Partial<GraphNode> = {},
): GraphNode {
  return { name, op, inputs: inputs.map((one) => ({ node: one, index: 0 })), attributes: FLOAT, ...more };
}

function constant(name: string, ...values: readonly number[]): GraphNode {
  const shape = values.length === 1 ? [] : [values.length];
  return node(name, 'Const', [], { value: { dtype: 'float32', shape, data: Float32Array.from(values) } });
}

function optimized(nodes: readonly GraphNode[], kept: readonly string[] = []): FrozenGraph {
  const graph = new Map(nodes.map((one) => [one.name, one]));
  const results = [{ node: nodes.at(-1)!.name, index: 0 }];
  return optimizeGraph(graph, { results, kept: new Set(['x', ...kept]), shape: () => null }).graph;
}

const x = node('x', 'Placeholder');
const captured = { from: { node: 'handle', index: 0 } };

describe('what must stay as it is', () => {
  test('a division by a variable, whose value TensorFlow does not know', () => {
    const graph = [x, { ...constant('c', 3), ...captured }, node('y', 'RealDiv', ['x', 'c'])];
    expect(optimized(graph).get('y')?.op).toBe('RealDiv');
    expect(optimized([x, constant('c', 3), graph[2]!]).get('y')?.op).toBe('Mul');
  });

  test('what a function has that TensorFlow compiles', () => {
    const graph = [x, constant('c', 3), node('y', 'RealDiv', ['x', 'c'], { isCompiled: true })];
    expect(optimized(graph).get('y')?.op).toBe('RealDiv');
  });

  test('constants of a sum that somebody else takes, or fetches', () => {
    const graph = [
      x,
      constant('c', 1),
      constant('d', 1e-7),
      node('p', 'Sub', ['c', 'x']),
      node('y', 'AddV2', ['p', 'd']),
    ];
    const sub = optimized(graph).get('y');
    expect(sub?.op).toBe('Sub');
    expect(optimized(graph, ['p']).get('y')?.op).toBe('AddV2');
    const both = [...graph.slice(0, 4), node('q', 'AddV2', ['p', 'd']), node('y', 'Mul', ['p', 'q'])];
    expect(optimized(both).get('q')?.op).toBe('AddV2');
  });

  test('the class of a function that an assertion waits for', () => {
    const graph = [x, node('s', 'Sigmoid', ['x']), constant('axis', 1), node('y', 'ArgMax', ['s', 'axis'])];
    expect(optimized(graph).get('y')?.inputs[0]?.node).toBe('x');
    const asserted = [
      ...graph.slice(0, 3),
      node('a', 'Cos', ['x'], { controls: ['s'] }),
      node('b', 'ArgMax', ['s', 'axis']),
      node('y', 'Pack', ['a', 'b']),
    ];
    expect(optimized(asserted).get('b')?.inputs[0]?.node).toBe('s');
  });

  test('equal constants are one, different ones that begin alike are not', () => {
    const [one, other] = [Array<number>(2000).fill(1), [...Array<number>(1999).fill(1), 2]];
    const graph = (second: readonly number[]) => [
      x,
      constant('c', ...one),
      constant('d', ...second),
      node('a', 'Maximum', ['x', 'c']),
      node('b', 'Maximum', ['x', 'd']),
      node('y', 'Pack', ['a', 'b']),
    ];
    expect(
      new Set(
        optimized(graph(one))
          .get('y')
          ?.inputs.map((ref) => ref.node),
      ).size,
    ).toBe(1);
    expect(
      new Set(
        optimized(graph(other))
          .get('y')
          ?.inputs.map((ref) => ref.node),
      ).size,
    ).toBe(2);
  });
});

test('thousands of nodes in a row are no trouble', () => {
  const chain = (opOf: (count: number) => string) => {
    const nodes = [x, constant('c', 3)];
    for (let count = 0; count < 20_000; count++)
      nodes.push(node(`y${count}`, opOf(count), [count === 0 ? 'x' : `y${count - 1}`, 'c']));
    return nodes;
  };
  expect(optimized(chain((count) => (count % 2 === 0 ? 'AddV2' : 'Mul'))).size).toBe(20_002);
  const shape = [-1, 4];
  const front = node('x', 'Reshape');
  const sums = [
    front,
    ...chain(() => 'AddV2')
      .slice(1)
      .map((one) => (one.op === 'Const' ? node('c', 'Sin', ['x']) : one)),
  ];
  const graph = new Map(sums.map((one) => [one.name, one]));
  const results = [{ node: 'y19999', index: 0 }];
  const { graph: sum } = optimizeGraph(graph, { results, kept: new Set(), shape: () => shape });
  expect(sum.get('y19999')?.inputs.length).toBe(20_001);
});

test('nodes of which only one states a default are one', () => {
  const stated = new Map([...FLOAT, ['output_type', { type: 9 }]] as const);
  const graph = [
    x,
    node('s', 'Sign', ['x']),
    constant('axis', 1),
    node('a', 'ArgMax', ['s', 'axis']),
    node('b', 'ArgMax', ['s', 'axis'], { attributes: stated }),
    node('y', 'Pack', ['a', 'b']),
  ];
  expect(optimized(graph).has('s')).toBe(false);
  const other = new Map([...FLOAT, ['output_type', { type: 3 }]] as const);
  graph[4] = node('b', 'ArgMax', ['s', 'axis'], { attributes: other });
  expect(optimized(graph).has('s')).toBe(true);
});
