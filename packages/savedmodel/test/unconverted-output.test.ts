import { expect, test } from 'vitest';
import { convertGraph } from '../onnx/convert-graph.ts';
import type { AttrValue } from '../savedmodel/graph-def.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';
import { UnsupportedModel } from '../savedmodel/servable-model.ts';

const spec = { dtype: 'float32', shape: null } as const;

function node(
  name: string,
  op: string,
  inputs: readonly string[],
  attributes: GraphNode['attributes'],
): GraphNode {
  return { name, op, inputs: inputs.map((one) => ({ node: one, index: 0 })), attributes };
}

test('an output that no converter gives is refused by name: the model is not damaged', () => {
  const type = { type: 1 };
  const nodes = [
    node('x', 'Placeholder', [], new Map([['dtype', type]])),
    ...['scale', 'shift', 'mean', 'variance'].map((name): GraphNode => {
      const value = { dtype: 'float32' as const, shape: [3], data: new Float32Array(3) };
      return { ...node(name, 'Const', [], new Map()), value };
    }),
    node(
      'norm',
      'FusedBatchNormV3',
      ['x', 'scale', 'shift', 'mean', 'variance'],
      new Map<string, AttrValue>([
        ['T', type],
        ['U', type],
        ['is_training', { bool: true }],
      ]),
    ),
  ];
  const graph = new Map(nodes.map((one) => [one.name, one]));
  const input = { ref: { node: 'x', index: 0 }, spec: { ...spec, name: 'x' } };
  const outputs = [0, 1].map((index) => ({
    ref: { node: 'norm', index },
    spec: { ...spec, name: `y${index}` },
  }));
  const convert = () => convertGraph(graph, [input], outputs, { functions: new Map() });
  expect(convert).toThrow(UnsupportedModel);
  expect(convert).toThrow(/FusedBatchNormV3 \(output 1\)/);
});
