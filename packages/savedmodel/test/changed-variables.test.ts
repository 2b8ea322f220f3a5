import { expect, test } from 'vitest';
import { calledNodes } from '../savedmodel/called-nodes.ts';
import { refuseChangedVariables } from '../savedmodel/changed-variables.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';

const node = (name: string, op: string, ...inputs: readonly string[]): GraphNode => ({
  name,
  op,
  inputs: inputs.map((input) => ({ node: input, index: 0 })),
  attributes: new Map(),
});
const nodes = [
  node('state', 'VarHandleOp'),
  node('serve/y', 'Identity', 'state'),
  node('serve/Assign', 'AssignVariableOp', 'state', 'serve/y'),
];
const graph = {
  nodes: new Map(nodes.map((one) => [one.name, one])),
  resolve: (ref: { node: string; index: number }) => ref,
};
const refuse = (call: string, read: string) =>
  refuseChangedVariables(
    graph,
    calledNodes(graph, [{ node: 'serve/y', index: 0 }], new Set([call])),
    new Set([read]),
  );

test('a variable that a request changes and reads is refused', () => {
  expect(() => refuse('serve', 'state')).toThrow('AssignVariableOp (a variable that requests change)');
});

test('the cure is an export for inference, and not another engine', () => {
  expect(() => refuse('serve', 'state')).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('training=False') }),
  );
});

test('assignments of initializers, and to what is not read, are no changes', () => {
  refuse('restore', 'state');
  refuse('serve', 'other');
});
