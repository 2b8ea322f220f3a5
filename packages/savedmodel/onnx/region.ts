import { assertionsAmong } from '../savedmodel/assertions.ts';
import type { FlatFunction, Library } from '../savedmodel/flatten-functions.ts';
import { freezeGraph, type FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import { optimizeGraph } from '../savedmodel/optimized-graph.ts';
import { type DType, type Tensor, UnsupportedModel } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { Conversion } from './conversion.ts';
import { KnownGraph } from './known-graph.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** Stand-in for an argument of a function: a tensor of the ONNX graph, and what is known of it. */
export interface Given {
  readonly value: string;
  readonly shape: Shape;
  /** The shape as TensorFlow's optimizer knows it; null if it changes from turn to turn. */
  readonly believed: Shape;
  /** Element type of the list that the argument is, if it is one. */
  readonly list?: DType | undefined;
}

/** `tensorflow.DT_VARIANT`; only lists of tensors are converted. */
export const VARIANT = 21;

/** A tensor as a function sees it that captures it; undefined for a constant, which is put into the function itself. */
export function captured(conversion: Conversion, ref: TensorRef): Given | undefined {
  if (conversion.known(ref) !== undefined) return undefined;
  const list = conversion.isList(ref) ? conversion.listType(ref) : undefined;
  return {
    value: conversion.value(ref),
    list,
    shape: conversion.shape(ref),
    believed: conversion.believedShape(ref),
  };
}

/** Computation of a loop or a branch: some results of a function that may have constants among its arguments. */
export interface Region {
  readonly graph: FrozenGraph;
  readonly results: readonly TensorRef[];
}

/**
 * The part of a function that some of its results need, and its assertions where they are checked: TensorFlow runs all of them.
 *
 * @param constants values of arguments by their names; a variable's resource is its value
 * @throws {UnsupportedModel} if it reads a variable that changes
 */
export function regionOf(
  called: FlatFunction,
  results: readonly TensorRef[],
  constants: ReadonlyMap<string, Tensor>,
  library: Library,
): Region {
  const nodes = new Map(called.nodes);
  for (const [name, value] of constants)
    nodes.set(name, {
      name,
      op: 'Const',
      inputs: [],
      attributes: new Map(),
      value,
      from: { node: name, index: 0 },
    });
  const feeds = called.arguments.filter((name) => !constants.has(name)).map((node) => ({ node, index: 0 }));
  const assertions = library.isAsserted
    ? [...assertionsAmong(called.nodes.values(), called.nodes, library).values()]
    : [];
  for (const assertion of assertions) nodes.set(assertion.name, assertion);
  const roots = [...results, ...assertions.map(({ name }) => ({ node: name, index: 0 }))];
  const graph = freezeGraph({ ...called, nodes }, roots, feeds, (handle) => {
    const value = constants.get(handedOn(called, handle).node);
    if (value === undefined) throw new UnsupportedModel(['ReadVariableOp (in a loop or branch)']);
    return value;
  });
  return { graph, results };
}

/** Follows a tensor of a function back through nodes that only hand it on. */
export function handedOn({ nodes }: Pick<FlatFunction, 'nodes'>, ref: TensorRef): TensorRef {
  let current = ref;
  for (;;) {
    const node = nodes.get(current.node);
    const [input] = node?.inputs ?? [];
    if (node?.op !== 'Identity' || input === undefined) return current;
    current = input;
  }
}

/** Converts a region into `onnx`. @param given what stands for its arguments, by name; those that it does not need are ignored */
export function convertRegion(
  region: Region,
  given: ReadonlyMap<string, Given>,
  outer: Conversion,
  onnx: OnnxGraph,
): Conversion {
  const inputShapes = new Map<string, Shape>();
  const believedShapes = new Map<string, Shape>();
  for (const [node, { shape, believed }] of given) {
    const name = tensorName({ node, index: 0 });
    inputShapes.set(name, shape);
    believedShapes.set(name, believed);
  }
  const { results } = region;
  const graph = optimizedRegion(region, believedShapes, outer);
  const scope = { ...outer.scope, graph, results, inputShapes, believedShapes };
  const conversion = new Conversion(scope, onnx);
  for (const [name, { value, list }] of given) {
    const node = graph.get(name);
    if (node === undefined) continue;
    if (list === undefined) conversion.set(node, value);
    else conversion.setList(node, value, list);
  }
  const { origin } = onnx;
  conversion.convertNodes(new Set(given.keys()));
  onnx.origin = origin;
  return conversion;
}

/** TensorFlow runs loops and branches as parts of the one graph that it optimizes. */
function optimizedRegion(
  { graph, results }: Region,
  inputShapes: ReadonlyMap<string, Shape>,
  outer: Conversion,
): FrozenGraph {
  const facts = new KnownGraph({ ...outer.scope, graph, results, inputShapes }).inferAll();
  const taken = new Set([...graph.values()].flatMap(({ inputs }) => inputs.map(({ node }) => node)));
  for (const { node } of results) taken.add(node);
  // Assertions, which run for their effect.
  const ends = [...graph.keys()].filter((name) => !taken.has(name)).map((node) => ({ node, index: 0 }));
  const optimized = optimizeGraph(graph, {
    results: [...results, ...ends],
    kept: new Set(),
    shape: (ref) => facts.shape(ref),
  });
  outer.scope.rewrites.push(...optimized.rewrites);
  return optimized.graph;
}

/** Shapes of a region's results where its arguments have these. */
export function shapesOf(
  { graph, results }: Region,
  shapes: ReadonlyMap<string, Shape>,
  outer: Conversion,
): Shape[] {
  const inputShapes = new Map<string, Shape>();
  for (const [node, shape] of shapes) inputShapes.set(tensorName({ node, index: 0 }), shape);
  const conversion = new Conversion({ ...outer.scope, graph, results, inputShapes });
  for (const name of graph.keys()) conversion.shape({ node: name, index: 0 });
  return results.map((ref) => conversion.shape(ref));
}

/** The part that two shapes of one tensor have in common. */
export function commonShape(one: Shape, other: Shape): Shape {
  if (one === null || other === null || one.length !== other.length) return null;
  return one.map((size, axis) => (size === other[axis] ? size : -1));
}

/**
 * Whether a tensor counts as true where a loop or a branch asks: a scalar that is not 0, or, of any other rank, a tensor that has
 * elements at all. https://www.tensorflow.org/api_docs/python/tf/raw_ops/If
 */
export function truthOf(onnx: OnnxGraph, tensor: string, shape: Shape): string {
  if (shape?.length === 0) return onnx.cast(tensor, 'bool');
  const hasElements = onnx.op('Greater', onnx.op('Size', tensor), 0);
  if (shape !== null) return hasElements;
  const isScalar = onnx.op('Equal', onnx.op('Size', onnx.shape(tensor)), 0);
  const ones = onnx.cast(onnx.cast(tensor, 'bool'), 'int64');
  const some = onnx.op('Greater', onnx.node('ReduceSum', [ones], { keepdims: 0 }), 0);
  return onnx.op('And', hasElements, onnx.op('Or', some, onnx.op('Not', isScalar)));
}
