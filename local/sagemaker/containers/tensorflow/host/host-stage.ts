import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { BrokenModel, UnsupportedModel, type DType } from '../engine/servable-model.ts';
import { typeAttr, type GraphNode, type TensorRef } from '../savedmodel/graph-node.ts';
import type { Library } from '../savedmodel/flatten-functions.ts';
import { nodesInOrder } from '../savedmodel/node-order.ts';
import { DECODERS, readDecoding } from './decoder.ts';
import { isHostOperation } from './evaluate.ts';
import { findMapLoops, type MapLoop } from './image-loop.ts';

const STRING_OPERATIONS: ReadonlySet<string> = new Set([...DECODERS, 'DecodeBase64']);

/** A tensor that the host hands on to ONNX. */
interface Cut {
  readonly ref: TensorRef;
  readonly dtype: Exclude<DType, 'string'>;
}

/** What runs before ONNX takes over: nodes in order of evaluation, and the tensors that they hand on. */
export interface HostStage {
  readonly nodes: readonly GraphNode[];
  readonly loops: ReadonlyMap<string, MapLoop>;
  readonly cuts: readonly Cut[];
}

/**
 * Splits off what works on strings, which ONNX cannot: a loop over encoded images, or a decoder outside any loop.
 *
 * @throws {UnsupportedModel} if that part needs operations that the host does not know
 */
export function splitHostStage(
  graph: FrozenGraph,
  outputs: readonly TensorRef[],
  library: Library,
): { readonly stage: HostStage; readonly dense: FrozenGraph } {
  const loops = new Map(findMapLoops(graph, library, STRING_OPERATIONS).map((loop) => [loop.output, loop]));
  const cuts: Cut[] = [];
  // Seen from ONNX's side, a cut is where the graph begins: what lies behind it is the host's business.
  const dense = nodesInOrder(
    outputs.map(({ node }) => node),
    (name) => {
      const node = nodeOf(graph, name);
      if (!loops.has(name) && !STRING_OPERATIONS.has(node.op)) return node;
      cuts.push({ ref: { node: name, index: 0 }, dtype: cutType(node) });
      return { ...node, inputs: [] };
    },
  );
  const nodes = nodesInOrder(
    cuts.map(({ ref }) => ref.node),
    (name) => {
      const loop = loops.get(name);
      if (loop === undefined) return nodeOf(graph, name);
      const inputs = [
        ...loop.elements.map(({ stacked }) => stacked),
        ...loop.captured.map(({ outer }) => outer),
      ];
      return { ...nodeOf(graph, name), inputs };
    },
  );
  refuseUnknown(nodes.flatMap((node) => loops.get(node.name)?.body ?? [node]));
  return { stage: { nodes, loops, cuts }, dense: new Map(dense.map((node) => [node.name, node])) };
}

/** The element type under which a node hands on what it decoded. */
function cutType(node: GraphNode): Exclude<DType, 'string'> {
  const attribute = node.op === 'TensorListStack' ? 'element_dtype' : 'dtype';
  const dtype = node.op === 'DecodeBase64' ? 'string' : typeAttr(node, attribute, 'uint8');
  if (dtype === 'string') throw new UnsupportedModel([`${node.op} (strings)`], `node ${node.name}`);
  return dtype;
}

function refuseUnknown(nodes: readonly GraphNode[]): void {
  const missing = new Set<string>();
  for (const node of nodes) {
    if (DECODERS.has(node.op)) {
      const decoding = readDecoding(node);
      if (typeof decoding === 'string') missing.add(`${node.op} (${decoding})`);
    } else if (
      !STRING_OPERATIONS.has(node.op) &&
      !isHostOperation(node) &&
      !['Const', 'Placeholder'].includes(node.op)
    ) {
      missing.add(`${node.op} (while decoding)`);
    }
  }
  if (missing.size > 0) throw new UnsupportedModel([...missing].sort());
}

function nodeOf(graph: FrozenGraph, name: string): GraphNode {
  const node = graph.get(name);
  if (node === undefined) throw new BrokenModel(`The graph has no node ${name}`);
  return node;
}
