import { worksOnComplex } from './complex-tensor.ts';
import type { FlatGraph } from './flatten-functions.ts';
import { attribute, type GraphNode, inputOf, type TensorRef } from './graph-node.ts';
import { withKnownBranches } from './known-branches.ts';
import { nodesInOrder } from './node-order.ts';
import type { ReadVariable } from './restored-variables.ts';
import { BrokenModel, UnsupportedModel } from './servable-model.ts';
import { readTensor } from './tensor-proto.ts';

/** ONNX files, being protocol buffers, end at 2 GiB. */
const MAX_CONSTANT_BYTES = 2 ** 31;

/** The nodes that a signature needs, and no other: placeholders, constants with values, operations; in order of use. */
export type FrozenGraph = ReadonlyMap<string, GraphNode>;

/** The node of a name. @throws {BrokenModel} if there is none */
export function nodeOf(graph: FrozenGraph, name: string): GraphNode {
  const node = graph.get(name);
  if (node === undefined) throw new BrokenModel(`The graph has no node ${name}`);
  return node;
}

/** The nodes that take an output of a node, by its name. */
export function usersIn(graph: FrozenGraph): Map<string, GraphNode[]> {
  const users = new Map<string, GraphNode[]>();
  for (const node of graph.values())
    for (const name of new Set(node.inputs.map((ref) => ref.node))) {
      const known = users.get(name);
      if (known === undefined) users.set(name, [node]);
      else known.push(node);
    }
  return users;
}

/**
 * Walks from the outputs to the inputs, replaces reads of variables by constants, and drops the rest,
 * branches that never run among it.
 * A signature may feed any tensor, not only a placeholder: what lies behind `feeds` is dropped too.
 *
 * @throws {BrokenModel} if a node or variable is missing or damaged {UnsupportedModel} beyond 2 GiB
 */
export function freezeGraph(
  graph: FlatGraph,
  outputs: readonly TensorRef[],
  feeds: readonly TensorRef[],
  readVariable: ReadVariable,
): FrozenGraph {
  const fed = new Set(feeds.map(({ node }) => node));
  const find = withKnownBranches(graph, outputs, fed);
  let constantBytes = 0;
  const freeze = (name: string): GraphNode => {
    const node = find(name);
    if (node === undefined) throw new BrokenModel(`The graph has no node ${name}`);
    const constant = fed.has(name)
      ? { ...node, op: 'Placeholder', inputs: [] }
      : freezeNode(node, readVariable);
    if (constant.value !== undefined && constant.value.dtype !== 'string') {
      constantBytes += constant.value.data.byteLength;
      if (constantBytes > MAX_CONSTANT_BYTES)
        throw new UnsupportedModel(['weights and constants of more than 2 GiB']);
    }
    return constant;
  };
  const roots = outputs.map(({ node }) => node);
  return new Map(nodesInOrder(roots, freeze).map((node) => [node.name, node]));
}

function freezeNode(node: GraphNode, readVariable: ReadVariable): GraphNode {
  const constant = (value: GraphNode['value'] & object): GraphNode => ({
    ...node,
    op: 'Const',
    inputs: [],
    value,
  });
  const variable = (from: TensorRef): GraphNode => ({ ...constant(readVariable(from)), from });
  switch (node.op) {
    case 'Const':
      // Complex numbers are read by the nodes that take them.
      if (worksOnComplex(node)) return node;
      return node.value === undefined
        ? constant(readTensor(attribute(node, 'value').tensor ?? new Uint8Array(), node.name))
        : node;
    case 'ReadVariableOp':
      return variable(inputOf(node, 0));
    // What still refers to the variable itself reads it too: `ResourceGather`, and all of TensorFlow 1.
    case 'VarHandleOp':
    case 'VariableV2':
    case 'Variable':
      return variable({ node: node.name, index: 0 });
    case 'PlaceholderWithDefault':
      return { ...node, op: 'Identity', attributes: new Map([['T', attribute(node, 'dtype')]]) };
    default:
      return node;
  }
}
