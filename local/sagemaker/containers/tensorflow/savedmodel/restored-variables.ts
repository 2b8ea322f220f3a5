import { BrokenModel, type Tensor } from '../engine/servable-model.ts';
import type { FlatGraph } from './flatten-functions.ts';
import { attribute, inputOf, textAttr, type GraphNode, type TensorRef } from './graph-node.ts';
import type { TensorBundle } from './tensor-bundle.ts';
import { readTensor } from './tensor-proto.ts';

/** Gives the value that a variable's handle has after TensorFlow Serving ran the graph's restore operation. */
export type ReadVariable = (handle: TensorRef) => Tensor;

/**
 * Pairs each variable with its name in the checkpoint by following the graph's own restore operations,
 * `RestoreV2` → `AssignVariableOp`; no other place in the file says it for both TensorFlow 1 and 2.
 */
export function restoredVariables(graph: FlatGraph, bundle: TensorBundle | undefined): ReadVariable {
  const names = new Map<string, string>();
  for (const node of graph.nodes.values()) {
    if (node.op !== 'AssignVariableOp' && node.op !== 'Assign') continue;
    const source = skipIdentities(graph, inputOf(node, 1));
    const restore = graph.nodes.get(source.node);
    if (restore?.op !== 'RestoreV2') continue;
    const name = restoredNames(graph, restore)[source.index];
    if (name !== undefined) names.set(variableId(graph, inputOf(node, 0)), name);
  }
  return (handle) => {
    const id = variableId(graph, handle);
    const name = names.get(id);
    if (name === undefined) throw new BrokenModel(`Variable ${handle.node} is not restored by the graph`);
    if (bundle === undefined) throw new BrokenModel('The model has variables, but no folder variables/');
    return bundle.read(name);
  };
}

function restoredNames(graph: FlatGraph, restore: GraphNode): string[] {
  const constant = graph.nodes.get(skipIdentities(graph, inputOf(restore, 1)).node);
  if (constant?.op !== 'Const')
    throw new BrokenModel(`${restore.name}: the names to restore are no constant`);
  const tensor = readTensor(attribute(constant, 'value').tensor ?? new Uint8Array(), constant.name);
  if (tensor.dtype !== 'string')
    throw new BrokenModel(`${constant.name}: the names to restore are no strings`);
  return tensor.data.map((name) => Buffer.from(name).toString('latin1'));
}

/** Two handles are one variable when they share a name; the node's own name stands in for none. */
function variableId(graph: FlatGraph, handle: TensorRef): string {
  const { node } = skipIdentities(graph, handle);
  const definition = graph.nodes.get(node);
  return (definition && textAttr(definition, 'shared_name')) || node;
}

function skipIdentities(graph: FlatGraph, ref: TensorRef): TensorRef {
  let current = ref;
  for (let hops = 0; hops < 1000; hops++) {
    const node = graph.nodes.get(current.node);
    if (node?.op !== 'Identity') return current;
    current = inputOf(node, 0);
  }
  throw new BrokenModel(`Tensor ${ref.node} refers to itself`);
}
