import type { Library } from '../savedmodel/flatten-functions.ts';
import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { type GraphNode, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import { reading } from '../savedmodel/operation-definition.ts';
import type { AppliedRewrite } from '../savedmodel/optimized-graph.ts';
import { type DType, type TensorSpec, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { complexConverter } from './complex.ts';
import { Conversion } from './conversion.ts';
import { inferShapes, OPERATIONS } from './families.ts';

/** Operations that have a converter, by name. */
export const CONVERTIBLE_OPERATIONS: readonly string[] = [...OPERATIONS.keys()].sort();

/** Name of an input in the ONNX model; ONNX wants all names to differ, and a signature may use one for both sides. */
export function onnxInputName(name: string): string {
  return `in:${name}`;
}

/** Name of an output in the ONNX model. */
export function onnxOutputName(name: string): string {
  return `out:${name}`;
}

/** A tensor of the graph under the name that it has outside. */
export interface Port {
  readonly ref: TensorRef;
  readonly spec: TensorSpec;
}

/** A serialized ONNX model, and what is known of it. */
interface ConvertedGraph {
  readonly onnx: Uint8Array;
  readonly hasBranches: boolean;
  /** Rewrites of TensorFlow's optimizer in loops and branches. */
  readonly rewrites: readonly AppliedRewrite[];
}

/**
 * Converts a frozen graph to a serialized ONNX model.
 *
 * @throws {UnsupportedModel} with every operation that has no converter, not only the first
 */
export function convertGraph(
  graph: FrozenGraph,
  inputs: readonly Port[],
  outputs: readonly Port[],
  library: Library,
): ConvertedGraph {
  const inputShapes = new Map(inputs.map(({ ref, spec }) => [tensorName(ref), spec.shape]));
  const results = outputs.map(({ ref }) => ref);
  const rewrites: AppliedRewrite[] = [];
  const conversion = new Conversion({
    graph,
    inputShapes,
    inferShapes,
    results,
    library,
    convertNode,
    rewrites,
    believedShapes: new Map(),
  });
  for (const { ref, spec } of inputs) {
    const name = onnxInputName(spec.name);
    const placeholder = { name: ref.node, op: 'Placeholder', inputs: [], attributes: new Map() };
    conversion.onnx.input({ ...spec, name, dtype: borderType(spec.dtype) });
    const given = spec.dtype === 'float16' ? conversion.onnx.cast(name, 'float16') : name;
    conversion.set(placeholder, given, ref.index);
  }
  conversion.convertNodes(new Set(inputs.map(({ ref }) => ref.node)));
  for (const { ref, spec } of outputs) {
    const dtype = borderType(spec.dtype);
    const value = conversion.value(ref);
    const taken = spec.dtype === dtype ? value : conversion.onnx.cast(value, dtype);
    conversion.onnx.output(taken, { ...spec, dtype, name: onnxOutputName(spec.name) });
  }
  // Runs only for its assertions: onnxruntime takes no graph without outputs.
  if (outputs.length === 0)
    conversion.onnx.output(conversion.onnx.scalar('bool', 1), { name: 'asserted', dtype: 'bool', shape: [] });
  return { onnx: conversion.onnx.toModel(), hasBranches: conversion.onnx.hasBranches, rewrites };
}

/** The type in which a tensor enters and leaves the ONNX model: half precision goes as single precision, which holds it. */
function borderType(dtype: DType): DType {
  return dtype === 'float16' ? 'float32' : dtype;
}

/** How a node of TensorFlow's graph is named in the ONNX model. */
function originOf({ op, name }: GraphNode): string {
  return `${op}@${name}`;
}

/** The operation of TensorFlow's that a message of onnxruntime's is about, if it names one. */
export function operationNamed(message: string): string | undefined {
  return /(?:^|['"( :])([A-Za-z]\w*)@/.exec(message)?.[1];
}

function convertNode(node: GraphNode, conversion: Conversion): void {
  const converter = complexConverter(node) ?? OPERATIONS.get(node.op)?.[0];
  if (converter === undefined) throw new UnsupportedModel([node.op], `node ${node.name}`);
  conversion.onnx.origin = originOf(node);
  reading(node, (read) => converter(read, conversion));
}
