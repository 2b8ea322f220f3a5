import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { type GraphNode, inputOf, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { exampleShape, isExampleParser } from './example/parse-example.ts';

/** The input that gives an operation's result its shape. */
const LIKE: Readonly<Record<string, number>> = {
  AsString: 0,
  Cast: 0,
  DecodeCSV: 0,
  Identity: 0,
  LookupTableFind: 1,
  LookupTableFindV2: 1,
  RegexReplace: 0,
  StaticRegexFullMatch: 0,
  StaticRegexReplace: 0,
  StringLength: 0,
  StringLower: 0,
  StringStrip: 0,
  StringToHashBucketFast: 0,
  StringToHashBucketStrong: 0,
  StringToNumber: 0,
  StringUpper: 0,
};
const MATRICES: ReadonlySet<string> = new Set(['RaggedTensorToTensor', 'RaggedBincount']);

/** The shape of a stack of elements, if the graph states the elements' shape. */
function stackShape(graph: FrozenGraph, node: GraphNode): Shape {
  const stated = graph.get(inputOf(node, 1).node)?.value;
  // A scalar stands for an open rank.
  return stated?.shape.length === 1 && stated.dtype === 'int32' ? [-1, ...stated.data] : null;
}

/**
 * Known part of the shape of a tensor that the host hands on.
 *
 * @param given shapes of the signature's inputs, by the tensor's name
 */
export function cutShape(graph: FrozenGraph, ref: TensorRef, given: ReadonlyMap<string, Shape>): Shape {
  let current = ref;
  for (let hops = 0; hops < 100; hops++) {
    const node = graph.get(current.node);
    const known = given.get(tensorName(current));
    if (known !== undefined || node === undefined) return known ?? null;
    if (MATRICES.has(node.op)) return [-1, -1];
    if (node.op === 'TensorListStack') return stackShape(graph, node);
    if (isExampleParser(node))
      return exampleShape(node, current.index, cutShape(graph, inputOf(node, 0), given));
    const input = node.inputs[LIKE[node.op] ?? -1];
    if (input === undefined) return null;
    current = input;
  }
  return null;
}
