import type { GraphNode } from '../savedmodel/graph-node.ts';

/** The two halves of a complex tensor, each a tensor of float32; ONNX has no complex numbers. */
export type Part = 'real' | 'imaginary';

/** A node that stands for one part of a complex node's result. */
export function partOf(node: GraphNode, part: Part): GraphNode {
  return { ...node, name: `${node.name} ${part}`, attributes: new Map() };
}
