import type { FlatGraph } from './flatten-functions.ts';
import { attribute, type GraphNode, inputOf, type TensorRef, textAttr } from './graph-node.ts';
import { BrokenModel, type Tensor, UnrestoredVariable } from './servable-model.ts';
import type { TensorBundle } from './tensor-bundle.ts';
import { readTensor } from './tensor-proto.ts';

/**
 * Gives the value that a variable's handle has after TensorFlow Serving ran the graph's restore operation.
 *
 * @throws {UnrestoredVariable} where that leaves the variable without a value
 */
export type ReadVariable = (handle: TensorRef) => Tensor;

/** The variables of a graph, and where their values come from. */
export interface Variables {
  readonly read: ReadVariable;
  /** Checks like `read`, without the value, for callers who only need to know that there is one. */
  readonly require: (handle: TensorRef) => void;
}

/** Where in the checkpoint a variable's value is. */
interface Restored {
  readonly name: string;
  /** Empty for the whole; partitioned variables of TensorFlow 1 restore a part each. */
  readonly shapeAndSlice: string;
}

/**
 * Pairs each variable with its name in the checkpoint by following the graph's own restore operations,
 * `RestoreV2` → `AssignVariableOp`; no other place in the file says it for both TensorFlow 1 and 2.
 */
export function restoredVariables(graph: FlatGraph, bundle: TensorBundle | undefined): Variables {
  const restored = new Map<string, Restored>();
  const read = new Map<string, readonly Restored[]>();
  for (const node of graph.nodes.values()) {
    if (node.op !== 'AssignVariableOp' && node.op !== 'Assign') continue;
    const source = skipIdentities(graph, inputOf(node, 1));
    const restore = graph.nodes.get(source.node);
    if (restore?.op !== 'RestoreV2') continue;
    const sources = read.get(restore.name) ?? restoredTensors(graph, restore);
    read.set(restore.name, sources);
    const tensor = sources[source.index];
    if (tensor !== undefined) restored.set(variableId(graph, inputOf(node, 0)), tensor);
  }
  const find = (handle: TensorRef): Restored => {
    const source = restored.get(variableId(graph, handle));
    if (source === undefined) throw new UnrestoredVariable(handle.node);
    return source;
  };
  return {
    require: find,
    read(handle) {
      const source = find(handle);
      if (bundle === undefined) throw new BrokenModel('The model has variables, but no folder variables/');
      return bundle.read(source.name, source.shapeAndSlice);
    },
  };
}

/** Tensor that the graph restores under this reference, if it comes from a restore operation. @throws {BrokenModel} */
export function restoredTensor(
  graph: FlatGraph,
  bundle: TensorBundle | undefined,
  ref: TensorRef,
): Tensor | undefined {
  const restore = graph.nodes.get(ref.node);
  if (restore?.op !== 'RestoreV2') return undefined;
  const source = restoredTensors(graph, restore)[ref.index];
  if (source === undefined || bundle === undefined)
    throw new BrokenModel(`${restore.name}: tensor ${ref.index} to restore does not exist`);
  return bundle.read(source.name, source.shapeAndSlice);
}

function restoredTensors(graph: FlatGraph, restore: GraphNode): Restored[] {
  const slices = restoredTexts(graph, restore, 2);
  return restoredTexts(graph, restore, 1).map((name, index) => ({
    name,
    shapeAndSlice: slices[index] ?? '',
  }));
}

function restoredTexts(graph: FlatGraph, restore: GraphNode, input: number): string[] {
  const constant = graph.nodes.get(skipIdentities(graph, inputOf(restore, input)).node);
  if (constant?.op !== 'Const')
    throw new BrokenModel(`${restore.name}: the list of tensors to restore is not a constant`);
  const tensor = readTensor(attribute(constant, 'value').tensor ?? new Uint8Array(), constant.name);
  if (tensor.dtype !== 'string')
    throw new BrokenModel(`${constant.name}: the list of tensors to restore is not text`);
  return tensor.data.map((text) => Buffer.from(text).toString('latin1'));
}

/** Two handles are one variable when they share a name; the node's own name stands in for none. */
export function variableId(graph: FlatGraph, handle: TensorRef): string {
  const { node } = skipIdentities(graph, handle);
  const definition = graph.nodes.get(node);
  return (definition && textAttr(definition, 'shared_name')) || node;
}

/** Whichever way a switch goes, what comes out is what went in; what enters a loop is what is outside. */
const HANDS_ON: ReadonlySet<string> = new Set(['Identity', 'Switch', 'Enter', 'RefEnter']);

/** Follows a tensor back through nodes that hand it on. @throws {BrokenModel} if they form a circle */
export function skipIdentities(graph: FlatGraph, ref: TensorRef): TensorRef {
  let current = ref;
  for (let hops = 0; hops < 1000; hops++) {
    const node = graph.nodes.get(current.node);
    if (node === undefined || !HANDS_ON.has(node.op)) return current;
    current = inputOf(node, 0);
  }
  throw new BrokenModel(`Tensor ${ref.node} refers to itself`);
}
